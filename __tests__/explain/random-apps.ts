/** Random apps that speak CORS well, badly or not at all, and random requests of pages to them. */
import npmCors from 'cors';
import express, { type Express, type RequestHandler } from 'express';
import { corsPreflight, optionsHandler, patchOptions, type CorsOptions } from '../../lib';

/** A generator of random numbers that a seed repeats (mulberry32). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let t = Math.imul(this.#state ^ (this.#state >>> 15), this.#state | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 4_294_967_296;
  }

  chance(of: number): boolean {
    return this.next() < of;
  }

  pick<T>(from: readonly T[]): T {
    const picked = from[Math.floor(this.next() * from.length)];
    if (picked === undefined) throw new Error('There is nothing to pick from');
    return picked;
  }

  some<T>(from: readonly T[], each = 0.3): readonly T[] {
    return from.filter(() => this.chance(each));
  }
}

/** Where pages come from, and where redirects lead. */
export interface Places {
  readonly page: string;
  readonly stranger: string;
  /** A server of another origin, which allows everything. */
  readonly other: string;
}

/** The parts of an app in their order, as text that shows what was made. */
interface RandomApp {
  readonly app: Express;
  readonly parts: readonly string[];
}

const methodLists = ['GET, PATCH', 'PUT,DELETE', '*', 'PATCH', '', 'GET;PUT', 'patch, put', ' , PATCH ,'];
const headerLists = ['*', 'content-type, x-a', 'X-A,X-B', 'authorization', '', 'x-a x-b', '*, Authorization'];

/** The options of a `corsPreflight`. */
export function randomPolicy(dice: Dice, { page, stranger }: Places): CorsOptions {
  const origin = dice.pick<CorsOptions['origin']>([
    page,
    [page, stranger],
    ['null', page],
    'http://127.0.0.1:*',
    stranger,
    (asking: string) => asking === page,
    () => Promise.resolve(true),
    () => {
      throw new Error('fault');
    },
  ]);
  const isOpen = dice.chance(0.25);
  return {
    ...(isOpen ? {} : { origin: origin as never }),
    ...(!isOpen && dice.chance(0.4)
      ? { credentials: true, dangerouslyAllowAnyOriginWithCredentials: true }
      : {}),
    ...(dice.chance(0.3) ? { allowedHeaders: dice.pick(['X-A', { only: ['x-b'] }, 'requested']) } : {}),
    ...(isOpen && dice.chance(0.3) ? { allowedHeaders: '*' } : {}),
    ...(dice.chance(0.15) ? { methods: 'GET, PATCH' } : {}),
    ...(dice.chance(0.15) ? { fallbackMethods: dice.pick([['GET'], ['GET', 'PATCH']]) } : {}),
    maxAge: 0,
  } as CorsOptions;
}

/** A middleware that sets the headers of CORS itself, and what to call it. */
export function handWrittenCors(
  dice: Dice,
  { page, stranger, other }: Places,
): readonly [RequestHandler, string] {
  const origins = [page, stranger, '*', 'null', `${page}, ${page}`, `${page}/`, other];
  const fields: Record<string, string> = {};
  if (dice.chance(0.9)) fields['Access-Control-Allow-Origin'] = dice.pick(origins);
  if (dice.chance(0.8)) fields['Access-Control-Allow-Methods'] = dice.pick(methodLists);
  if (dice.chance(0.7)) fields['Access-Control-Allow-Headers'] = dice.pick(headerLists);
  if (dice.chance(0.4)) fields['Access-Control-Allow-Credentials'] = dice.pick(['true', 'true', 'TRUE', '1']);
  const echoes = dice.chance(0.3);
  const status = dice.pick([200, 204, 204, 299, 404, 302, 0, 0]);
  const handler: RequestHandler = (req, res, next) => {
    res.set(fields);
    if (echoes) res.set('Access-Control-Allow-Origin', req.get('origin') ?? '*');
    if (req.method !== 'OPTIONS' || status === 0) next();
    else
      res
        .status(status)
        .set(status === 302 ? { Location: '/notes/1' } : {})
        .end();
  };
  return [handler, `by hand ${JSON.stringify({ fields, echoes, status })}`];
}

export function randomApp(dice: Dice, places: Places): RandomApp {
  const { page, stranger, other } = places;
  const app = express();
  const parts: string[] = [];
  const policy = (): CorsOptions => randomPolicy(dice, places);

  const handWritten = (): RequestHandler => {
    const [handler, part] = handWrittenCors(dice, places);
    parts.push(part);
    return handler;
  };

  const guard = (): RequestHandler => {
    const markAsOwn = dice.chance(0.4);
    // Not 407, which Chromium takes for that of a proxy of its own.
    const status = dice.pick([401, 403]);
    parts.push(`guard ${status}${markAsOwn ? ', but for OPTIONS' : ''}`);
    return (req, res, next) => {
      const passes = req.get('authorization') !== undefined || (markAsOwn && req.method === 'OPTIONS');
      if (passes) next();
      else res.status(status).json({});
    };
  };

  const done: RequestHandler = (_req, res) => void res.json({});
  const addRoutes = (to: express.IRouter): void => {
    to.get('/notes/:id', done);
    if (dice.chance(0.9)) to.patch('/notes/:id', done);
    if (dice.chance(0.5)) to.put('/notes/:id', done);
    if (dice.chance(0.5)) to.delete('/notes/:id', done);
    if (dice.chance(0.5)) to.post('/notes/:id', done);
    to.all('/all', done);
    to.get('/boom', () => {
      throw new Error('boom');
    });
  };
  const redirects = (): void => {
    const status = dice.pick([301, 302, 303, 307, 308]);
    const inside = dice.pick([
      ...['/notes/1', '/all', '/nowhere', ''],
      ...['http://ann@127.0.0.1/', 'data:,a', 'http://'],
    ]);
    const outside = dice.pick([`${other}/notes/1`, page, `${other}/cors-less`]);
    parts.push(`redirects ${status} to ${inside} and ${outside}`);
    app.all('/moved', (_req, res) => {
      res.status(status).set('Location', inside).end();
    });
    app.all('/away', (_req, res) => {
      res.status(status).set('Location', outside).end();
    });
  };

  const layers: readonly (() => void)[] = [
    () => {
      const options = policy();
      parts.push(`corsPreflight ${describeOptions(options)}`);
      app.use(corsPreflight(options));
    },
    () => {
      const options = policy();
      parts.push(`patchOptions ${describeOptions(options)}`);
      app.use(patchOptions({ cors: options }));
    },
    () => {
      const options = policy();
      parts.push(`corsPreflight under /notes ${describeOptions(options)}`);
      app.use('/notes', corsPreflight(options));
    },
    () => {
      const options = {
        origin: dice.pick([page, '*', true, stranger, [page]]),
        credentials: dice.chance(0.4),
      };
      parts.push(`npm cors in a router ${JSON.stringify(options)}`);
      app.use(express.Router().use(npmCors({ ...options, maxAge: 0 })));
    },
    () => void app.use(handWritten()),
    () => void app.use('/notes', handWritten()),
    () => void app.use(guard()),
    () => void app.use('/notes', guard()),
    () => {
      parts.push('optionsHandler');
      app.use(optionsHandler());
    },
    () => {
      parts.push('a sub-app');
      const inner = express();
      addRoutes(inner);
      app.use(dice.pick(['/', '/sub']), inner);
    },
    () => {
      parts.push('a router with routes');
      const router = express.Router();
      addRoutes(router);
      app.use(router);
    },
    () => {
      const status = dice.pick([400, 403]);
      const methods = dice.pick(['HEAD', 'OPTIONS', 'GET', 'PATCH']);
      parts.push(`param that answers ${methods} with ${status}`);
      app.param('id', (req, res, next) => {
        if (req.method === methods) res.status(status).end();
        else next();
      });
    },
    () => {
      parts.push('OPTIONS by a handler of its own');
      app.options('/notes/:id', (_req, res) => void res.set('Allow', 'GET, PATCH').end());
    },
    () => {
      parts.push('headers removed by an error handler');
      const removeAll: express.ErrorRequestHandler = (_error, _req, res, next) => {
        for (const name of res.getHeaderNames()) res.removeHeader(name);
        if (res.headersSent) next();
        else res.status(500).end();
      };
      app.use(removeAll);
    },
  ];
  // Mostly one that sets headers comes first, as in apps that work.
  if (dice.chance(0.6)) dice.pick(layers.slice(0, 5))();
  for (let i = 0; i < 3; i++) if (dice.chance(0.5)) dice.pick(layers)();
  redirects();
  addRoutes(app);
  // Behind the routes, where it is too late.
  if (dice.chance(0.3)) dice.pick(dice.chance(0.5) ? layers.slice(0, 2) : layers)();
  return { app, parts };
}

/** Options as text. */
export function describeOptions(options: CorsOptions): string {
  return JSON.stringify(options, (_name, value: unknown) =>
    typeof value === 'function' ? String(value) : value,
  );
}

/** A request of a page. */
export interface RandomQuestion {
  readonly from: 'page' | 'stranger' | 'frame';
  readonly method: string;
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: boolean;
  readonly upload: boolean;
}

/** The paths of `randomApp`, and one that it lacks. */
export const questionPaths = [
  '/notes/1',
  '/notes/1',
  '/notes/1',
  '/all',
  '/nowhere',
  '/boom',
  '/moved',
  '/away',
  '/sub/notes/1',
];
const methods = ['GET', 'GET', 'GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'PATCH', 'DELETE', 'patch', 'put'];
const headers: readonly (readonly [string, string])[] = [
  ['authorization', 'Bearer a'],
  ['X-A', '1'],
  ['x-b', '2'],
  ['content-type', 'application/json'],
  ['content-type', 'text/plain'],
  ['if-match', '"a"'],
  ['accept', 'text/html'],
  ['accept', '"'],
  ['range', 'bytes=0-5'],
  ['range', 'bytes=9007199254740993-9007199254740992'],
  ['accept-language', 'de'],
];

export function randomQuestion(dice: Dice, paths: readonly string[]): RandomQuestion {
  const upload = dice.chance(0.07);
  return {
    from: upload ? 'page' : dice.pick(['page', 'page', 'page', 'page', 'stranger', 'frame']),
    method: upload ? dice.pick(['POST', 'PUT', 'PATCH']) : dice.pick(methods),
    path: dice.pick(paths),
    headers: upload || dice.chance(0.4) ? {} : Object.fromEntries(dice.some(headers, 0.2)),
    credentials: !upload && dice.chance(0.25),
    upload,
  };
}
