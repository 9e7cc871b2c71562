import { describeQuestions } from '../explain/questions-in-chromium';
import { scaled } from '../support/deep-scale';
import { randomNestApp, type RandomNestApp } from './support/random-nest-app';

const wanted = scaled(1_000);
const apps: RandomNestApp['nest'][] = [];

afterAll(async () => {
  await Promise.all(apps.map((app) => app.close()));
});

describeQuestions(
  'random questions to random Nest apps: the verdict, the requests and the step are the browser’s',
  wanted,
  wanted >= 1_000 ? 11 : 4,
  async (dice, places) => {
    const app = await randomNestApp(dice, places);
    apps.push(app.nest);
    return app;
  },
);
