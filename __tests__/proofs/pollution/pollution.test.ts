import { isDeep } from '../../support/deep-scale';
import { describePollution } from './describe-pollution';

describePollution(isDeep() ? 'all' : 'one');
