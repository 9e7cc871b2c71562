import type { Application } from 'express';
import { readRouter } from '../../lib/express/apps';
import { literalPrefixes } from '../../lib/routes/literal-prefix';
import { frameworks } from '../support/frameworks';

type Paths = string | RegExp | (string | RegExp)[];

interface Row {
  readonly path: Paths;
  /** What a layer's paths must begin with; undefined: they may begin with anything. */
  readonly prefixes: string[] | undefined;
}

const both: readonly Row[] = [
  { path: '/notes', prefixes: ['/notes'] },
  { path: '/Notes/Archive', prefixes: ['/notes/archive'] },
  { path: '/notes/:id', prefixes: ['/notes'] },
  { path: '/notes/:id/tags', prefixes: ['/notes'] },
  { path: '/notes-:id', prefixes: undefined },
  { path: '/:id/notes', prefixes: undefined },
  { path: '/', prefixes: undefined },
  { path: '/é/notes', prefixes: undefined },
  { path: /^\/notes/, prefixes: undefined },
  {
    path: ['/notes/:id', '/trash'],
    prefixes: ['/notes', '/trash'],
  },
  { path: ['/notes', /^\/trash/], prefixes: undefined },
];
const ofItsOwn: Record<string, readonly Row[]> = {
  'Express 5': [
    { path: '/notes/archive/', prefixes: ['/notes/archive'] },
    { path: '/notes/*rest', prefixes: ['/notes'] },
    { path: '/notes{/:id}', prefixes: ['/notes'] },
    { path: '/notes{/:id}{/:tag}', prefixes: ['/notes'] },
    { path: '/notes{s}', prefixes: undefined },
    { path: '/notes{/}rest', prefixes: undefined },
    { path: '/api/not\\es', prefixes: ['/api'] },
  ],
  'Express 4': [
    { path: '/notes/archive/', prefixes: ['/notes'] },
    { path: '/notes/*', prefixes: ['/notes'] },
    { path: '/notes*', prefixes: undefined },
    { path: '/notes/:id?', prefixes: ['/notes'] },
    { path: '/notes/:id?rest', prefixes: undefined },
    { path: '/notes/?rest', prefixes: undefined },
    { path: '/api/notes?', prefixes: ['/api'] },
    { path: '/api/(notes|trash)', prefixes: undefined },
    { path: '/api/(notes)', prefixes: ['/api'] },
    { path: '/notes|/trash', prefixes: undefined },
    { path: '/api/notes/.:id', prefixes: ['/api'] },
    { path: '/api/notes/:id(\\d+)?rest', prefixes: ['/api'] },
    { path: '/api/notes/(a)/:id?rest', prefixes: ['/api/notes'] },
  ],
};

describe.each(frameworks)('the literal segments that a path of %s begins with', (name, express) => {
  const lastLayer = (app: Application) => {
    const layer = readRouter(app)?.stack.at(-1);
    if (layer === undefined) throw new Error('no layer');
    return layer;
  };

  it.each([...both, ...(ofItsOwn[name] ?? [])])('$path: $prefixes', ({ path, prefixes }) => {
    const app = express();
    app.route(path as string);
    expect(literalPrefixes(lastLayer(app))).toEqual(prefixes);
  });

  it.each<{ readonly path: string; readonly prefixes: string[] | undefined }>([
    { path: '/notes', prefixes: ['/notes'] },
    { path: '/Notes/v1.2', prefixes: ['/notes/v1.2'] },
    { path: '/notes/:id', prefixes: name === 'Express 5' ? ['/notes'] : undefined },
    { path: '/notes//', prefixes: ['/notes'] },
    { path: '/', prefixes: undefined },
  ])('of a mount: $path: $prefixes', ({ path, prefixes }) => {
    expect(literalPrefixes(lastLayer(express().use(path, express.Router())))).toEqual(prefixes);
  });
});
