import { isDeep } from '../../support/deep-scale';
import { describeThrown } from './describe-thrown';

const debug = 'patch-options:*';

describeThrown(
  isDeep()
    ? [
        { express: 'Express 5', debug: '', which: 'all' },
        { express: 'Express 4', debug, which: 'all' },
      ]
    : [{ express: 'Express 5', debug, which: 'some' }],
);
