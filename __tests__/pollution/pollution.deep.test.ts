import { describePollution } from './describe-pollution';

describePollution('all');
