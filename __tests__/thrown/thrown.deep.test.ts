import { describeThrown } from './describe-thrown';

describeThrown([
  { express: 'Express 5', debug: '', which: 'all' },
  { express: 'Express 4', debug: 'patch-options:*', which: 'all' },
]);
