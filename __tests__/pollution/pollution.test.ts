import { describePollution } from './describe-pollution';

describePollution('one');
