import 'reflect-metadata';
import {
  All,
  type ArgumentsHost,
  Catch,
  Controller,
  Delete,
  type ExceptionFilter,
  Get,
  Module,
  NotFoundException,
  Patch,
  Post,
} from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { NestExpressApplication } from '@nestjs/platform-express';
import type { Request, Response } from 'express';
import type { Server } from 'node:http';
import { methodNotAllowed, optionsListener, patchOptions } from 'patch-options';

@Controller('cats')
class CatsController {
  @Get()
  list(): string[] {
    return ['Tom'];
  }

  @Post()
  add(): string {
    return 'added';
  }

  @All('any')
  any(): string {
    return 'any';
  }

  @Get(':id')
  show(): string {
    return 'Tom';
  }

  @Patch(':id')
  change(): string {
    return 'changed';
  }

  @Delete(':id')
  remove(): never {
    throw new NotFoundException('There is no such cat');
  }
}

@Module({ controllers: [CatsController] })
class AppModule {}

// docs: Nest
/** Nest answers 404 itself, after its routes: this turns it into 405 if the path has routes for other methods. */
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

async function bootstrap(port: number): Promise<NestExpressApplication> {
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
  app.use(patchOptions({ cors: { origin: 'https://app.example' } })); // instead of Nest's own cors: true
  app.useGlobalFilters(new MethodNotAllowedFilter());
  await app.listen(port);
  return app;
}
// end

export async function startAttached(port: number): Promise<Server> {
  // docs: Nest, in front of Express
  const app = await NestFactory.create<NestExpressApplication>(AppModule, { logger: false });
  const front = optionsListener(app.getHttpAdapter().getInstance(), {
    cors: { origin: 'https://app.example' },
  });
  front.attach(app.getHttpServer());
  app.useGlobalFilters(new MethodNotAllowedFilter());
  await app.listen(port);
  // end
  return app.getHttpServer();
}

export async function start(port: number): Promise<Server> {
  return (await bootstrap(port)).getHttpServer();
}
