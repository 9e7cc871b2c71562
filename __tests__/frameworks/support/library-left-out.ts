import type * as library from 'patch-options';

type Middleware = library.Middleware;

const goOn: Middleware = (_req, _res, next) => {
  next();
};

/** What recipes import of the library, doing nothing: with it a recipe is the same app without the library. */
export const libraryLeftOut = {
  patchOptions: () => goOn,
  methodNotAllowed: () => goOn,
  declareMethods: <H>(_methods: readonly string[], handler: H): H => handler,
  optionsListener: (app: library.Listener) => Object.assign(app, { attach: () => () => undefined }),
};
