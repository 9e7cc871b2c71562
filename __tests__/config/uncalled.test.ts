/** A middleware that is mounted without being called gets the request as its options. */
import express from 'express';
import supertest from 'supertest';
import { corsPreflight, methodNotAllowed, optionsHandler, patchOptions } from '../../lib';

test.each(Object.entries({ patchOptions, corsPreflight, optionsHandler, methodNotAllowed }))(
  'app.use(%s) says that it was not called, in one line, without what the client sent',
  async (name, middleware) => {
    const app = express();
    app.use(middleware as never);
    const errors: unknown[] = [];
    const answerErrors: express.ErrorRequestHandler = (error, _req, res, next) => {
      errors.push(error);
      if (!res.headersSent) res.sendStatus(500);
      else next();
    };
    app.use(answerErrors);
    await supertest(app).get('/notes?secret=7').expect(500);
    expect(errors).toEqual([
      expect.objectContaining({
        message:
          `${name}() received invalid options:\n` +
          '  options: an object is the request: the function was mounted without being called. ' +
          `Write ${name}() with the parentheses. [option-type]`,
      }),
    ]);
    expect(String(errors[0])).not.toContain('secret');
  },
);
