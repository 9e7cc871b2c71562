/** A QUERY from another origin, which every browser asks about first. */
import npmCors from 'cors';
import express, { type RequestHandler } from 'express';
import { jsonQuery, patchOptions, queryHandler } from '../../lib';
import { BrowserPages } from '../cors/browser-pages';
import { describeInChromium } from '../support/chromium';

describeInChromium('QUERY from a page of another origin', () => {
  const pages = new BrowserPages();
  let page: string;
  beforeAll(async () => {
    await pages.open();
    page = await pages.origin();
  });
  afterAll(() => pages.close());

  const ask = async (cors: RequestHandler) => {
    const app = express().use(cors);
    app.query?.(
      '/notes',
      queryHandler([jsonQuery<{ tag: string }>()], ({ tag }) => [tag]),
    );
    const { url } = await pages.serve(app);
    return pages.fetch(page, `${url}/notes`, {
      method: 'QUERY',
      headers: { 'Content-Type': 'application/json' },
      body: '{"tag":"home"}',
    });
  };

  test('is allowed by patchOptions, which reads the routes', async () => {
    const outcome = await ask(patchOptions({ cors: { origin: page } }) as RequestHandler);
    expect(outcome).toMatchObject({ status: 200, text: '["home"]' });
  });

  test('is refused under npm cors, whose list of methods lacks it', async () => {
    expect(await ask(npmCors({ origin: page }))).toHaveProperty('failed');
  });
});
