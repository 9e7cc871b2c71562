import { describeThrown } from './describe-thrown';

describeThrown([{ express: 'Express 5', debug: 'patch-options:*', which: 'some' }]);
