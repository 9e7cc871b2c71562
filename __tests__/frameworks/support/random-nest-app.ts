/** Random Nest apps that speak CORS by Nest's own `enableCors`, by our middleware, by headers of their own, or not at all. */
import 'reflect-metadata';
import {
  All,
  type ArgumentsHost,
  type CanActivate,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  type ExecutionContext,
  Get,
  Header,
  type MiddlewareConsumer,
  Module,
  NotFoundException,
  Options,
  Patch,
  Post,
  Put,
  Redirect,
  RequestMethod,
  type Type,
  UnauthorizedException,
} from '@nestjs/common';
import type { CorsOptions } from '@nestjs/common/interfaces/external/cors-options.interface';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, RequestHandler, Response } from 'express';
import { corsPreflight, methodNotAllowed, optionsHandler, patchOptions } from 'patch-options';
import type { AskableApp } from '../../explain/questions-in-chromium';
import {
  type Dice,
  describeOptions,
  handWrittenCors,
  type Places,
  questionPaths,
  randomPolicy,
} from '../../explain/random-apps';

export interface RandomNestApp extends AskableApp {
  readonly nest: NestExpressApplication;
}

export async function randomNestApp(dice: Dice, places: Places): Promise<RandomNestApp> {
  const parts: string[] = [];
  const prefix = dice.chance(0.4) ? '/api' : '';
  const ours = (): RequestHandler => {
    const options = randomPolicy(dice, places);
    const [name, create] = dice.pick([
      ['corsPreflight', () => corsPreflight(options)],
      ['patchOptions', () => patchOptions({ cors: options })],
    ] as const);
    parts.push(`${name} ${describeOptions(options)}`);
    return create();
  };
  const byHand = (): RequestHandler => {
    const [handler, part] = handWrittenCors(dice, places);
    parts.push(part);
    return handler;
  };

  const controllers = randomControllers(dice, places, parts);
  // A class that Nest makes would be one for all apps.
  const bind = dice.chance(0.5) ? randomBinding(dice, parts, controllers) : undefined;
  const bound = bind && dice.pick([ours, ours, byHand, () => optionsHandler()])();
  @Module({ controllers: [...controllers] })
  class AppModule {
    configure(consumer: MiddlewareConsumer): void {
      if (bound !== undefined) bind?.(consumer, bound);
    }
  }

  const nest = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
  if (prefix !== '') {
    parts.push(`the prefix ${prefix}`);
    nest.setGlobalPrefix(prefix);
  }
  const layers: readonly (() => void)[] = [
    () => {
      const options = randomNestCors(dice, places);
      const isDelegate = dice.chance(0.3);
      parts.push(`enableCors ${JSON.stringify({ ...options, isDelegate })}`);
      if (isDelegate) {
        nest.enableCors((_req: unknown, done: (error: Error | null, options: CorsOptions) => void) => {
          done(null, options);
        });
      } else {
        nest.enableCors(options);
      }
    },
    () => nest.use(ours()),
    () => nest.use(byHand()),
    () => {
      parts.push('under the path of the notes');
      nest.use(`${prefix}/notes`, ours());
    },
  ];
  const first = dice.chance(0.75) ? [dice.pick(layers.slice(0, 2))] : [];
  for (const add of [...first, ...dice.some(layers, 0.15)]) add();
  if (dice.chance(0.4)) nest.useGlobalGuards(randomGuard(dice, parts));
  for (const filter of dice.some([new MethodNotAllowedFilter(), new HeaderRemovingFilter()])) {
    parts.push(filter.constructor.name);
    nest.useGlobalFilters(filter);
  }
  await nest.init();
  if (dice.chance(0.1)) {
    parts.push('after init()');
    nest.use(ours());
  }
  const app: RequestHandler = nest.getHttpAdapter().getInstance();
  return {
    nest,
    app: app as AskableApp['app'],
    targets: [app, nest.getHttpServer()],
    parts,
    paths: [...questionPaths.map((path) => prefix + path), '/notes/1'],
  };
}

type Binding = (consumer: MiddlewareConsumer, middleware: RequestHandler) => void;

function randomBinding(dice: Dice, parts: string[], controllers: readonly Type[]): Binding {
  const [name, bind] = dice.pick<readonly [string, Binding]>([
    ['all routes', (consumer, ours) => void consumer.apply(ours).forRoutes('{*splat}')],
    ['*, as before Nest 11', (consumer, ours) => void consumer.apply(ours).forRoutes('*')],
    ['the controllers', (consumer, ours) => void consumer.apply(ours).forRoutes(...controllers)],
    ['a path', (consumer, ours) => void consumer.apply(ours).forRoutes('notes/:id')],
    [
      'a path and a method',
      (consumer, ours) =>
        void consumer.apply(ours).forRoutes({ path: 'notes/:id', method: RequestMethod.PATCH }),
    ],
    [
      'all but a path',
      (consumer, ours) => void consumer.apply(ours).exclude('notes/:id').forRoutes('{*splat}'),
    ],
  ]);
  parts.push(`as module middleware for ${name}:`);
  return bind;
}

/** The options of Nest's own CORS, which is npm cors. */
function randomNestCors(dice: Dice, { page, stranger }: Places): CorsOptions {
  return {
    origin: dice.pick<NonNullable<CorsOptions['origin']>>([
      page,
      '*',
      true,
      false,
      stranger,
      [page],
      /127\.0\.0\.1/,
    ]),
    credentials: dice.chance(0.4),
    ...(dice.chance(0.3) ? { methods: dice.pick<string | string[]>(['GET,PATCH', ['PUT'], '*']) } : {}),
    ...(dice.chance(0.3) ? { allowedHeaders: dice.pick<string | string[]>(['x-a', ['X-B'], '*']) } : {}),
    ...(dice.chance(0.15) ? { preflightContinue: true } : {}),
    ...(dice.chance(0.15) ? { optionsSuccessStatus: dice.pick([200, 404]) } : {}),
    maxAge: 0,
  };
}

function randomGuard(dice: Dice, parts: string[]): CanActivate {
  const markAsOwn = dice.chance(0.4);
  const throws = dice.chance(0.5);
  parts.push(`guard ${throws ? 401 : 403}${markAsOwn ? ', but for OPTIONS' : ''}`);
  return {
    canActivate(context: ExecutionContext): boolean {
      const { method, headers } = context.switchToHttp().getRequest<Request>();
      const passes = headers.authorization !== undefined || (markAsOwn && method === 'OPTIONS');
      if (!passes && throws) throw new UnauthorizedException();
      return passes;
    },
  };
}

@Catch(NotFoundException)
class MethodNotAllowedFilter implements ExceptionFilter<NotFoundException> {
  private readonly answer = methodNotAllowed();

  catch(error: NotFoundException, host: ArgumentsHost): void {
    const http = host.switchToHttp();
    const res = http.getResponse<Response>();
    this.answer(http.getRequest<Request>(), res, () => {
      res.status(error.getStatus()).json(error.getResponse());
    });
  }
}

@Catch()
class HeaderRemovingFilter implements ExceptionFilter {
  catch(_error: unknown, host: ArgumentsHost): void {
    const res = host.switchToHttp().getResponse<Response>();
    for (const name of res.getHeaderNames()) res.removeHeader(name);
    res.status(500).end();
  }
}

/** Controllers for the paths of the questions, a class for each method of the notes. */
function randomControllers(dice: Dice, { page, other }: Places, parts: string[]): readonly Type[] {
  const status = dice.pick([301, 302, 303, 307, 308]);
  const inside = dice.pick(['/notes/1', '/all', '/nowhere', 'http://ann@127.0.0.1/', 'data:,a', 'http://']);
  const outside = dice.pick([`${other}/notes/1`, page, `${other}/cors-less`]);
  const allowOrigin = dice.pick([page, '*']);

  @Controller('notes')
  class ReadNotes {
    @Get(':id')
    read(): object {
      return {};
    }
  }
  @Controller('notes')
  class ReadNotesWithHeader {
    @Get(':id')
    @Header('Access-Control-Allow-Origin', allowOrigin)
    read(): object {
      return {};
    }
  }
  @Controller('notes')
  class PatchNotes {
    @Patch(':id')
    patch(): object {
      return {};
    }
  }
  @Controller('notes')
  class PutNotes {
    @Put(':id')
    put(): object {
      return {};
    }
  }
  @Controller('notes')
  class DeleteNotes {
    @Delete(':id')
    delete(): object {
      return {};
    }
  }
  @Controller('notes')
  class PostNotes {
    @Post(':id')
    post(): object {
      return {};
    }
  }
  @Controller('notes')
  class OptionsOfNotes {
    @Options(':id')
    @Header('Allow', 'GET, PATCH')
    options(): string {
      return '';
    }
  }
  @Controller()
  class Others {
    @All('all')
    all(): object {
      return {};
    }

    @Get('boom')
    boom(): never {
      throw new Error('boom');
    }

    @All('moved')
    @Redirect()
    moved(): object {
      return { url: inside, statusCode: status };
    }

    @All('away')
    @Redirect()
    away(): object {
      return { url: outside, statusCode: status };
    }
  }
  const chosen = [
    dice.pick([ReadNotes, ReadNotes, ReadNotesWithHeader]),
    ...(dice.chance(0.9) ? [PatchNotes] : []),
    ...dice.some([PutNotes, DeleteNotes, PostNotes], 0.5),
    ...(dice.chance(0.15) ? [OptionsOfNotes] : []),
    Others,
  ];
  parts.push(chosen.map(({ name }) => name).join(', '), `redirects ${status} to ${inside} and ${outside}`);
  return chosen;
}
