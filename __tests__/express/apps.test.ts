import { runInThisContext } from 'node:vm';
import type { Application, Handler, Router } from 'express';
import { optionsHandler } from '../../lib/allow/options-handler';
import { declareAcceptPatch } from '../../lib/express/handler-metadata';
import { patchOptions } from '../../lib/patch-options';
import { allowOf } from '../support/allow-of';
import { frameworks } from '../support/frameworks';

const answer: Handler = (_req, res) => {
  res.end();
};

/** The layers of an app's or router's stack, as instrumentation gets hold of them. */
function layersOf(
  routes: unknown,
): { handle: Wrappable; name: string; route?: { stack: { handle: Wrappable }[] } }[] {
  const app = routes as { _router?: unknown; router?: unknown; stack?: unknown };
  const router = app.stack === undefined ? ('lazyrouter' in app ? app._router : app.router) : app;
  return (router as { stack: never[] }).stack;
}

type Wrappable = (...args: never[]) => unknown;

/** What instrumentation puts in a handler's place. */
const instrumentations: readonly {
  readonly by: string;
  readonly wrap: (original: Wrappable) => Wrappable;
}[] = [
  {
    by: 'OpenTelemetry: getters for what is enumerable, two arguments, __original',
    wrap: (original) => {
      const patched = function (this: unknown, _req: never, _res: never, ...rest: never[]) {
        return Reflect.apply(original, this, [_req, _res, ...rest]) as unknown;
      };
      for (const key in original) {
        Object.defineProperty(patched, key, {
          enumerable: true,
          get: () => Reflect.get(original, key) as unknown,
        });
      }
      return Object.defineProperty(patched, '__original', { value: original });
    },
  },
  {
    by: 'elastic-apm and express-async-errors: own string keys and length',
    wrap: (original) => {
      const patched = (...args: never[]) => original(...args);
      Object.defineProperty(patched, 'length', { value: original.length });
      return Object.assign(patched, Object.fromEntries(Object.entries(original)));
    },
  },
];

describe.each(frameworks)('what leads to routes on %s', (name, express) => {
  const subApp = (): Application => {
    const app = express();
    app.get('/in', answer);
    return app;
  };

  describe('sub-apps', () => {
    it.each([
      { title: 'with its routes', mount: (app: Application) => app.use('/sub', subApp()) },
      {
        title: 'before its routes',
        mount: (app: Application) => {
          const sub = express();
          app.use('/sub', sub);
          sub.get('/in', answer);
          return app;
        },
      },
      {
        title: 'mounted twice',
        mount: (app: Application) => {
          const sub = subApp();
          return app.use('/sub', sub).use('/again', sub);
        },
      },
      { title: 'in a sub-app', mount: (app: Application) => app.use('/', express().use('/sub', subApp())) },
      { title: 'on a router', mount: (app: Application) => app.use(express.Router().use('/sub', subApp())) },
      { title: 'of an array of paths', mount: (app: Application) => app.use(['/other', '/sub'], subApp()) },
    ])('$title', async ({ mount }) => {
      const app = mount(express().use(optionsHandler()));
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
      expect(await allowOf(app, '/sub/out')).toBe('404');
    });

    it('that gets its first route after it was asked for', async () => {
      const sub = express();
      const app = express().use(optionsHandler()).use('/sub', sub);
      expect(await allowOf(app, '/sub/in')).toBe('404');
      sub.get('/in', answer);
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
    });

    it('are found without running anything of your app’s', async () => {
      const run = jest.fn((_req: unknown, _res: unknown, next: (error?: unknown) => void) => {
        next();
      });
      const onError = jest.fn(
        (error: unknown, _req: unknown, _res: unknown, next: (error?: unknown) => void) => {
          next(error);
        },
      );
      const sub = express().use(run).use(onError);
      sub.set('query parser', run);
      sub.get('/in', answer);
      const app = express().use(optionsHandler()).use('/sub', sub).use(onError);
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
      expect(run).not.toHaveBeenCalled();
      expect(onError).not.toHaveBeenCalled();
    });

    it.each(['Express 5', 'Express 4'])('of another copy of Express: %s', async (otherName) => {
      const other = anotherCopy(otherName);
      const sub = other();
      sub.get('/in', answer);
      const app = express()
        .use(optionsHandler())
        .use('/sub', sub as never);
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
    });

    it.each([
      {
        minifier: 'esbuild',
        text: 'function(c,l,u){var d=c.app;s.handle(c,l,function(f){p(c,d.request),p(l,d.response),u(f)})}',
      },
      {
        minifier: 'terser',
        text: 'function(a,i,n){var t=a.app;s.handle(a,i,function(e){p(a,t.request),p(i,t.response),n(e)})}',
      },
      {
        minifier: 'terser, arrows',
        text: '(a,i,n)=>{const t=a.app;s.handle(a,i,(e=>{p(a,t.request),p(i,t.response),n(e)}))}',
      },
    ])('in a bundle minified by $minifier, without a name to tell them by', async ({ text }) => {
      const closure = runInThisContext(`(s,p)=>(${text})`) as (sub: unknown, set: unknown) => Handler;
      const app = express().use(optionsHandler());
      app.use('/sub', closure(subApp(), Object.setPrototypeOf));
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
    });
  });

  describe('instrumented layers', () => {
    function wrapAll(routes: unknown, wrap: (original: Wrappable) => Wrappable): void {
      for (const layer of layersOf(routes)) {
        layer.handle = wrap(layer.handle);
        for (const handler of layer.route?.stack ?? []) handler.handle = wrap(handler.handle);
      }
    }

    it.each(instrumentations)('$by', async ({ wrap }) => {
      const app = express().use(optionsHandler());
      const router: Router = express.Router().put('/:id', answer);
      app.use('/notes', router).use('/sub', subApp());
      app.patch('/notes/:id', declareAcceptPatch<Handler>(answer.bind(null), ['a/b', 'c/d;v="1, 2"']));
      wrapAll(app, wrap);
      wrapAll(router, wrap);
      expect(await allowOf(app, '/notes/7')).toBe('200 OPTIONS, PATCH, PUT | a/b, c/d;v="1, 2"');
      expect(await allowOf(app, '/sub/in')).toBe('200 GET, HEAD, OPTIONS');
    });

    it('New Relic: of a route handler only name and length are left', async () => {
      const app = express().use(optionsHandler());
      const handler = declareAcceptPatch<Handler>(answer.bind(null), ['a/b', 'c/d;v="1, 2"']);
      const wrapped: Handler = (req, res, next) => {
        handler(req, res, next);
      };
      app.patch('/notes', Object.defineProperty(wrapped, 'name', { value: handler.name }));
      expect(await allowOf(app, '/notes')).toBe('200 OPTIONS, PATCH | a/b, c/d;v="1, 2"');
    });
  });

  describe('what only passes OPTIONS on', () => {
    const resources = () =>
      patchOptions({
        resources: {
          '/notes/:id': {
            guard: 'none',
            patch: (_req, res) => {
              res.end();
            },
          },
        },
      });

    it.each(instrumentations)('$by', async ({ wrap }) => {
      const router = resources();
      for (const { route } of layersOf(router)) {
        for (const handler of route?.stack ?? []) handler.handle = wrap(handler.handle);
      }
      const app = express().use(router).get('/notes/:id', answer);
      expect(await allowOf(app, '/notes/7')).toBe('200 GET, HEAD, OPTIONS, PATCH');
    });

    it('New Relic: only name and length are left', async () => {
      const router = resources();
      for (const { route } of layersOf(router)) {
        for (const handler of route?.stack ?? []) {
          const { handle } = handler;
          const { name } = handle;
          handler.handle = Object.defineProperty((...args: never[]) => handle(...args), 'name', {
            value: name,
          });
        }
      }
      const app = express().use(router).get('/notes/:id', answer);
      expect(await allowOf(app, '/notes/7')).toBe('200 GET, HEAD, OPTIONS, PATCH');
    });

    it.each(['optionsPassThrough', 'declareMethods', 'patchHandler', 'optionsHandler'])(
      'not a function of the app named %s',
      async (functionName) => {
        const named = Object.defineProperty(answer.bind(null), 'name', { value: functionName });
        const app = express().use(optionsHandler()).patch('/notes', named).options('/own', named);
        expect(await allowOf(app, '/notes')).toBe('200 OPTIONS, PATCH');
        expect(await allowOf(app, '/own')).toBe('200');
      },
    );
  });

  /** Express loaded once more, with all that it is made of. */
  function anotherCopy(which: string): () => Application {
    let copy: (() => Application) | undefined;
    jest.isolateModules(() => {
      copy = jest.requireActual<() => Application>(which === 'Express 4' ? 'express4' : 'express');
    });
    if (copy === undefined) throw new Error('no copy');
    if (which === name) expect(copy).not.toBe(express);
    return copy;
  }
});
