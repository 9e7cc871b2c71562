import type { Application } from 'express';
import { routerOf } from '../../../lib/express/apps';
import { literalPrefixes } from '../../../lib/routes/index/literal-prefix';
import { frameworks } from '../../support/frameworks';

type Paths = string | RegExp | (string | RegExp)[];

/** What a layer's paths must begin with; undefined: they may begin with anything. */
const both: [Paths, string[] | undefined][] = [
  ['/notes', ['/notes']],
  ['/Notes/Archive', ['/notes/archive']],
  ['/notes/:id', ['/notes']],
  ['/notes/:id/tags', ['/notes']],
  ['/notes-:id', undefined],
  ['/:id/notes', undefined],
  ['/', undefined],
  ['/é/notes', undefined],
  [/^\/notes/, undefined],
  [
    ['/notes/:id', '/trash'],
    ['/notes', '/trash'],
  ],
  [['/notes', /^\/trash/], undefined],
];
const ofItsOwn: Record<string, [Paths, string[] | undefined][]> = {
  'Express 5': [
    ['/notes/archive/', ['/notes/archive']],
    ['/notes/*rest', ['/notes']],
    ['/notes{/:id}', ['/notes']],
    ['/notes{/:id}{/:tag}', ['/notes']],
    ['/notes{s}', undefined],
    ['/notes{/}rest', undefined],
    ['/api/not\\es', ['/api']],
  ],
  'Express 4': [
    ['/notes/archive/', ['/notes']],
    ['/notes/*', ['/notes']],
    ['/notes*', undefined],
    ['/notes/:id?', ['/notes']],
    ['/notes/:id?rest', undefined],
    ['/notes/?rest', undefined],
    ['/api/notes?', ['/api']],
    ['/api/(notes|trash)', undefined],
    ['/api/(notes)', ['/api']],
    ['/notes|/trash', undefined],
  ],
};

describe.each(frameworks)('the literal segments that a path of %s begins with', (name, express) => {
  const lastLayer = (app: Application) => {
    const layer = routerOf(app)?.stack.at(-1);
    if (layer === undefined) throw new Error('no layer');
    return layer;
  };

  it.each([...both, ...(ofItsOwn[name] ?? [])])('%s: %j', (path, prefixes) => {
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
