import type { RequestHandler, Router } from 'express';
import supertest from 'supertest';
import type * as Bundle from '../lib/patch-options';
import type { Middleware } from '../lib/http/middleware';
import { Random } from './routes/random';
import { times } from './support/deep-scale';
import { frameworks } from './support/frameworks';
import { dispatch } from './support/in-process';
import { seed } from './support/seed';

/** An app with two resources, declared in `resources` or as routes of its own, and what is mounted in front and behind. */
interface Twin {
  readonly app: unknown;
  readonly calls: string[];
}

const modules = {
  'Express 5': { module: 'express', paths: ['/notes/:id', '/A/b{/:c}', '/files/*rest', '/x.:y'] },
  'Express 4': { module: 'express4', paths: ['/notes/:id', '/A/b/:c?', '/files/*', '/x.:y'] },
};

const settings = [
  { caseSensitive: false, strict: false },
  { caseSensitive: true, strict: false },
  { caseSensitive: false, strict: true },
  { caseSensitive: true, strict: true },
];

const versions = frameworks.map(([name, express]) => ({ name, express, ...modules[name] }));
const rows = versions.flatMap((version) => settings.map((routing) => ({ ...version, ...routing })));
type Row = (typeof rows)[number];

const targets = times(250, 200_000);

describe(`resources are reached as routes of the app are (SEED=${seed})`, () => {
  test.each(rows)('$name, caseSensitive: $caseSensitive, strict: $strict', async (row) => {
    const random = new Random(seed);
    const twins = [makeTwin(row, 'resources'), makeTwin(row, 'routes')] as const;
    const census = { patched: 0, refused: 0, missed: 0 };
    for (let i = 0; i < targets / rows.length; i++) {
      const url = randomTarget(random);
      const authorization = random.chance(0.7) ? { authorization: 'me' } : {};
      const [ours, theirs] = await Promise.all(
        twins.map(async ({ app, calls }) => {
          calls.length = 0;
          const { status } = await dispatch(app, 'PATCH', url, { headers: authorization });
          return { url, status, calls: calls.join() };
        }),
      );
      expect(ours).toEqual(theirs);
      if (ours?.calls.includes('patch') === true) expect(ours.calls).toMatch(/guard.*patch/);
      census[ours?.status === 204 ? 'patched' : ours?.status === 401 ? 'refused' : 'missed']++;
    }
    expect(Math.min(...Object.values(census))).toBeGreaterThan(targets / rows.length / 100);
  });
});

function makeTwin(row: Row, how: 'resources' | 'routes'): Twin {
  const calls: string[] = [];
  const guard: RequestHandler = (req, res, next) => {
    calls.push('guard');
    if (req.headers.authorization === 'me') next();
    else {
      res.statusCode = 401;
      res.end();
    }
  };
  const patch: Middleware = (req, res) => {
    calls.push(`patch ${JSON.stringify((req as unknown as { params: object }).params)}`);
    res.statusCode = 204;
    res.end();
  };
  const app = row.express();
  app.set('case sensitive routing', row.caseSensitive);
  app.set('strict routing', row.strict);
  app.set('env', 'test');
  if (how === 'routes') for (const path of row.paths) app.patch(path, guard, patch);
  else {
    const resources = Object.fromEntries(row.paths.map((path) => [path, { guard: [guard], patch }]));
    app.use(bundleOver(row.module, { resources }));
  }
  return { app, calls };
}

/** `patchOptions` where that release of Express is installed. */
function bundleOver(module: string, options: Parameters<typeof Bundle.patchOptions>[0] & object): Router {
  let bundle!: Router;
  jest.isolateModules(() => {
    jest.doMock('express', () => jest.requireActual<object>(module));
    const { patchOptions } = jest.requireActual<typeof Bundle>('../lib/patch-options');
    bundle = patchOptions(options) as unknown as Router;
  });
  return bundle;
}

/** Mostly one that some resource has, as it is or with what a router may or may not overlook. */
function randomTarget(random: Random): string {
  const segments = ['notes', '1', 'A', 'b', 'files', 'x.y', 'x.', '%61', '%2F', '%zz', '', '.', '..', 'é'];
  const likely = ['/notes/1', '/A/b', '/A/b/c', '/files/a/b', '/x.y'];
  let path = random.chance(0.8)
    ? random.pick(likely)
    : random.list(0, 4, () => `/${random.pick(segments)}`).join('');
  if (random.chance(0.3)) path = path.replace(/[a-z]/gi, (letter) => otherCase(random, letter));
  if (random.chance(0.2)) path += '/';
  if (random.chance(0.1)) path = path.replace('/', '//');
  if (random.chance(0.1)) path = `http://h${path}`;
  if (random.chance(0.1)) path += random.pick(['?', '?a=/b', '#', '?#', '//', '%20']);
  return path;
}

function otherCase(random: Random, letter: string): string {
  if (random.chance(0.6)) return letter;
  return letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase();
}

const nothing: RequestHandler = (_req, res) => {
  res.status(204).end();
};
const noted = { '/notes/:id': { guard: 'none', patch: nothing as never } } as const;

describe.each(versions)('resources over $name', ({ module, express }) => {
  const appWith = (caseSensitive: boolean, bundle = bundleOver(module, { resources: noted })) =>
    express().set('case sensitive routing', caseSensitive).use(bundle);

  test.each([
    { caseSensitive: true, status: 404 },
    { caseSensitive: false, status: 200 },
  ])('OPTIONS sees what PATCH reaches, case sensitive: $caseSensitive', async ({ caseSensitive, status }) => {
    const app = appWith(caseSensitive);
    await supertest(app).options('/NOTES/1').expect(status);
    await supertest(app).options('/notes/1').expect('Allow', 'OPTIONS, PATCH');
    await supertest(app).options('/NOTES/1').expect(status);
    await supertest(app)
      .patch('/NOTES/1')
      .expect(status === 200 ? 204 : 404);
  });

  test('what guards a path of a case-sensitive app guards the resource', async () => {
    const app = express().set('case sensitive routing', true);
    app.use('/notes', (_req, res) => void res.status(401).end());
    app.use(bundleOver(module, { resources: noted }));
    await supertest(app).patch('/notes/1').expect(401);
    await supertest(app).patch('/NOTES/1').expect(404);
  });

  test('one bundle on two apps matches as each of them, with what was added to it since', async () => {
    const bundle = bundleOver(module, { resources: noted });
    const [sensitive, lenient] = [appWith(true, bundle), appWith(false, bundle)];
    bundle.get('/added', nothing);
    for (let i = 0; i < 2; i++) {
      await supertest(sensitive).patch('/NOTES/1').expect(404);
      await supertest(lenient).patch('/NOTES/1').expect(204);
      await supertest(sensitive).options('/NOTES/1').expect(404);
      await supertest(lenient).options('/NOTES/1').expect(200);
      await supertest(sensitive).get('/added').expect(204);
      await supertest(lenient).get('/added').expect(204);
    }
  });

  test('a sub-app has settings of its own', async () => {
    const outer = express().set('case sensitive routing', true);
    const inner = appWith(false);
    await supertest(outer.use('/api', inner)).patch('/api/NOTES/1').expect(204);
    await supertest(outer).options('/api/NOTES/1').expect(200);
  });
});
