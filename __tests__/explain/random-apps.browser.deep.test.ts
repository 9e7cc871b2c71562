import { scaled } from '../support/deep-scale';
import { describeQuestions } from './questions-in-chromium';
import { questionPaths, randomApp } from './random-apps';

const wanted = scaled(3_000);

describeQuestions(
  'random questions to random apps: the verdict, the requests and the step are the browser’s',
  wanted,
  wanted >= 3_000 ? 13 : 4,
  (dice, places) => {
    const { app, parts } = randomApp(dice, places);
    return { app, targets: [app], parts, paths: questionPaths };
  },
);
