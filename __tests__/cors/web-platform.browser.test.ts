import express, { type Express, type RequestHandler } from 'express';
import { corsPreflight, type CorsOptions } from 'patch-options';
import { explainCors, type Explanation } from 'patch-options/explain';
import { describeInChromium } from '../support/chromium';
import { isDeep } from '../support/deep-scale';
import { BrowserPages, type Service } from './browser-pages';
import { platformRows, policies, type PlatformRow, type PolicyName } from './web-platform-table';

/** What the rows ask for, behind a policy. */
function serviceApp(cors: CorsOptions): Express {
  const app = express();
  app.use(corsPreflight(cors));
  const done: RequestHandler = (_req, res) => void res.json({});
  app.route('/thing').get(done).post(done).put(done).patch(done).delete(done);
  app.get('/get-only', done);
  app.all('/all', done);
  const ofStatus: RequestHandler = (req, res) => void res.status(Number(req.params['status'])).end();
  app.route('/status/:status').get(ofStatus).put(ofStatus);
  app.get('/boom', () => {
    throw new Error('boom');
  });
  const hidden = express.Router();
  hidden.put('/hidden', done);
  app.use((req, res, next) => {
    hidden(req, res, next);
  });
  return app;
}

interface Served extends Service {
  readonly app: Express;
}

describeInChromium('the cases of the web platform tests, in a real browser and by explainCors()', () => {
  const pages = new BrowserPages();
  const services = new Map<PolicyName, Promise<Served>>();
  let page = '';
  let stranger = '';

  beforeAll(async () => {
    await pages.open();
    page = await pages.origin();
    stranger = page.replace('127.0.0.1', 'localhost');
  });
  afterAll(() => pages.close());

  function serviceOf(policy: PolicyName): Promise<Served> {
    const known = services.get(policy);
    if (known !== undefined) return known;
    const options: CorsOptions = policies[policy](page, stranger);
    // Kept preflights would be none for the next row.
    const app = serviceApp({ ...options, maxAge: 0 });
    const served = pages.serve(app).then((service) => ({ ...service, app }));
    services.set(policy, served);
    return served;
  }

  async function isReadable(url: string, { method, headers, credentials, upload, inFrame }: PlatformRow) {
    if (upload) return pages.uploads(page, url, method);
    const request = { method, headers, credentials: credentials ? 'include' : 'omit' } as const;
    const outcome = await pages.fetch(page, url, request, inFrame);
    return !('failed' in outcome);
  }

  function explained({ app }: Served, row: PlatformRow): Promise<Explanation> {
    const { method, path, headers, credentials, upload, inFrame } = row;
    const origin = inFrame ? 'null' : page;
    // A method in lower case, which no preflight allows, cannot be sent.
    const send = method === method.toUpperCase();
    return explainCors(app, { origin, method, path, headers, credentials, upload, send });
  }

  // Every fifth in the fast tests.
  const tried = platformRows.filter((_, i) => isDeep() || i % 5 === 0);

  test.each(tried)('$policy: $title', async (row) => {
    const { allowed, preflight, chromium = { allowed, preflight } } = row;
    const service = await serviceOf(row.policy);
    service.requests.splice(0);
    const read = await isReadable(service.url + row.path, row);
    const sent = service.requests.map((line) => line.split(' ')[0]);
    const asked = sent[0] === 'OPTIONS' && (sent.length > 1 || !read);
    expect({ allowed: read, preflight: asked, sent }).toEqual({ ...chromium, sent });

    const explanation = await explained(service, row);
    expect(explanation).toMatchObject({ allowed, preflight });
    if (row.chromium !== undefined) expect(explanation.notes.join(' ')).toContain('Chromium');
  });

  test('there are some two hundred of them, and forty in the fast tests', () => {
    expect(platformRows.length).toBeGreaterThan(200);
    expect(tried.length).toBeGreaterThanOrEqual(isDeep() ? platformRows.length : 40);
  });
});
