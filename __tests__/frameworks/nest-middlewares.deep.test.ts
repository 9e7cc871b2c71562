/** Nest registers middlewares as routes, inside functions of its own: what Allow makes of each way to bind one. */
import 'reflect-metadata';
import {
  All,
  Catch,
  Controller,
  type ArgumentsHost,
  Get,
  NotFoundException,
  type MiddlewareConsumer,
  Module,
  RequestMethod,
  type Type,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import { declareMethods, methodNotAllowed, type Middleware, patchOptions } from 'patch-options';
import { portOf } from '../support/serving';
import { exchange } from './support/exchange';

@Controller('cats')
class CatsController {
  @Get()
  list(): string[] {
    return ['Tom'];
  }
}

const middleware: Middleware = (_req, _res, next) => {
  next();
};
const eight = 'DELETE, GET, HEAD, OPTIONS, PATCH, POST, PUT, QUERY';
const ofCats = 'GET, HEAD, OPTIONS';

const apps: NestExpressApplication[] = [];

async function appOf(module: Type, options: { cors?: boolean } = {}): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(module, { logger: false, ...options });
  apps.push(app);
  return app;
}

afterEach(async () => {
  await Promise.all(apps.splice(0).map((app) => app.close()));
});

interface Row {
  readonly title: string;
  readonly bind: (consumer: MiddlewareConsumer) => unknown;
  /** In `main.ts`. */
  readonly use?: Middleware;
  readonly prefix?: string;
  /** By path; undefined: OPTIONS is 404, as GET is. */
  readonly allow: Readonly<Record<string, string | undefined>>;
}

const rows: readonly Row[] = [
  {
    title: 'all routes',
    bind: (consumer) => consumer.apply(middleware).forRoutes('{*splat}'),
    allow: { '/cats': ofCats, '/': undefined, '/dogs': undefined },
  },
  {
    title: '*, as before Nest 11',
    bind: (consumer) => consumer.apply(middleware).forRoutes('*'),
    allow: { '/cats': ofCats, '/': undefined, '/dogs': undefined },
  },
  {
    title: 'all routes under a global prefix: the prefix itself looks like an endpoint for all verbs',
    bind: (consumer) => consumer.apply(middleware).forRoutes('{*splat}'),
    prefix: 'api',
    allow: { '/api/cats': ofCats, '/api': eight, '/api/dogs': undefined },
  },
  {
    title: '*, as before Nest 11, under a global prefix: the same',
    bind: (consumer) => consumer.apply(middleware).forRoutes('*'),
    prefix: 'api',
    allow: { '/api/cats': ofCats, '/api': eight, '/api/dogs': undefined },
  },
  {
    title:
      'all routes under a global prefix, declared: Nest calls it from a function of its own, and the mark is lost',
    bind: (consumer) => consumer.apply(declareMethods([], middleware)).forRoutes('{*splat}'),
    prefix: 'api',
    allow: { '/api/cats': ofCats, '/api': eight },
  },
  {
    title: 'app.use in main.ts, under a global prefix',
    bind: () => undefined,
    use: middleware,
    prefix: 'api',
    allow: { '/api/cats': ofCats, '/api': undefined, '/api/dogs': undefined },
  },
  {
    title: 'a controller',
    bind: (consumer) => consumer.apply(middleware).forRoutes(CatsController),
    prefix: 'api',
    allow: { '/api/cats': ofCats, '/api': undefined, '/api/dogs': undefined },
  },
  {
    title: 'a path and a method that has no handler: it looks like one',
    bind: (consumer) => consumer.apply(middleware).forRoutes({ path: 'cats', method: RequestMethod.DELETE }),
    allow: { '/cats': 'DELETE, GET, HEAD, OPTIONS', '/dogs': undefined },
  },
  {
    title: 'a wildcard and a method: it looks like a handler everywhere',
    bind: (consumer) => consumer.apply(middleware).forRoutes({ path: '*splat', method: RequestMethod.POST }),
    allow: { '/cats': 'GET, HEAD, OPTIONS, POST', '/dogs': 'OPTIONS, POST' },
  },
];

test.each(rows)('$title', async ({ bind, use, prefix, allow }) => {
  @Module({ controllers: [CatsController] })
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      bind(consumer);
    }
  }
  const app = await appOf(AppModule);
  if (prefix !== undefined) app.setGlobalPrefix(prefix);
  app.use(patchOptions());
  if (use !== undefined) app.use(use);
  await app.listen(0);
  const port = portOf(app.getHttpServer());
  const found: Record<string, string | undefined> = {};
  for (const path of Object.keys(allow)) {
    const { status, headers } = await exchange(port, 'OPTIONS', path, {});
    expect(status).toBe(headers.allow === undefined ? 404 : 200);
    found[path] = headers.allow;
    const get = await exchange(port, 'GET', path, {});
    expect([path, get.status]).toEqual([path, path.endsWith('/cats') ? 200 : 404]);
  }
  expect(found).toEqual(allow);
});

test('beside cors: true of Nest the preflight follows one policy, and the response the other: that is told', async () => {
  const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();
  @Module({ controllers: [CatsController] })
  class AppModule {}
  const app = await appOf(AppModule, { cors: true });
  app.use(patchOptions({ cors: { origin: 'https://app.example' } }));
  await app.listen(0);
  const port = portOf(app.getHttpServer());
  const fields = { origin: 'https://other.example', 'access-control-request-method': 'GET' };
  expect((await exchange(port, 'OPTIONS', '/cats', fields)).status).toBe(403);
  const { headers } = await exchange(port, 'GET', '/cats', fields);
  expect(headers['access-control-allow-origin']).toBe('*');
  await exchange(port, 'OPTIONS', '/cats', { ...fields, origin: 'https://app.example' });
  expect(warnings.mock.calls.map(([, about]) => about)).toEqual([{ code: 'PATCH_OPTIONS_CORS_TWICE' }]);
  warnings.mockRestore();
});

test('a 404 of an @All() handler becomes 405 in the filter, where other routes match the path', async () => {
  const refuse = methodNotAllowed();

  @Catch(NotFoundException)
  class Filter {
    catch(_error: NotFoundException, host: ArgumentsHost): void {
      const [req, res] = host.getArgs<Parameters<Middleware>>();
      refuse(req, res, () => res.writeHead(404).end());
    }
  }
  @Controller('cats')
  class AllCatsController {
    @All('lost')
    lost(): never {
      throw new NotFoundException();
    }

    @Get(':id')
    show(): string {
      return 'Tom';
    }
  }
  @Module({ controllers: [AllCatsController] })
  class AppModule {}
  const app = await appOf(AppModule);
  app.useGlobalFilters(new Filter());
  await app.listen(0);
  const port = portOf(app.getHttpServer());
  expect((await exchange(port, 'GET', '/cats/lost', {})).status).toBe(404);
  const { status, headers } = await exchange(port, 'POST', '/cats/lost', {});
  expect([status, headers.allow]).toEqual([405, 'GET, HEAD, OPTIONS']);
});
