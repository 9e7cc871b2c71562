import { isDeepStrictEqual } from 'node:util';
import { MalformedTarget, matchLayer } from '../../lib/express/layers';
import { readRouter } from '../../lib/express/apps';
import { IndexedLayer, readPlainPath } from '../../lib/routes/indexed-layer';
import { isComparable } from '../../lib/express/url';
import { Random } from './random';
import type { Buildable } from './route-trees';
import { flavours } from './flavours';
import { times } from '../support/deep-scale';

const segments = ['a', 'A', 'ab', 'a.b', 'a-b', '~a', '_', '1', ':x', ':x_1', ':X', ':y'];
const pieces = [...segments, '', '', '%61', '%zz', '%', 'ä', ' ', '\n', ':', '*', '.', '..'];

describe('a layer is taken to match what it would say itself', () => {
  it.each(flavours)('$name: random plain paths, on routes and on mounts', (flavour) => {
    const random = new Random(1);
    const wrong: unknown[] = [];
    const seen = { matched: 0, asked: 0, plain: 0 };
    const layers = times(125, 100_000);
    for (let i = 0; i < layers; i++) {
      const plan = {
        app: false,
        caseSensitive: random.chance(0.5),
        strict: random.chance(0.5),
        mergeParams: false,
        steps: [],
      };
      const built = flavour.router(plan) as Buildable;
      const pattern =
        '/' + random.list(0, 4, () => random.pick(segments)).join('/') + (random.chance(0.1) ? '/' : '');
      const given = random.chance(0.8) ? pattern : [pattern];
      if (random.chance(0.5)) built.use(given, () => undefined);
      else built.route(given);
      const layer = readRouter(built)?.stack[0];
      if (layer === undefined) throw new Error('a router without a layer');
      const indexed = new IndexedLayer(layer);
      for (let j = 0; j < 10; j++) {
        const near = random.chance(0.7) ? pattern.replace(/:\w+/g, () => random.pick(pieces)) : '';
        const path =
          near +
          (near === '' || random.chance(0.3)
            ? '/' + random.list(0, 3, () => random.pick(pieces)).join('/')
            : '');
        const expected = matchLayer(layer, path);
        const actual = indexed.match(path, isComparable(path));
        const malformed = expected instanceof MalformedTarget;
        const same = malformed ? actual instanceof MalformedTarget : isDeepStrictEqual(actual, expected);
        if (!same) wrong.push({ plan, given, path, expected, actual });
        if (malformed) seen.asked++;
        else if (expected !== undefined) seen.matched++;
        if (readPlainPath(pattern) !== undefined && isComparable(path)) seen.plain++;
      }
    }
    expect(wrong.slice(0, 3)).toEqual([]);
    for (const count of Object.values(seen)) expect(count).toBeGreaterThan(layers / 10);
  });

  const places = ['route', 'mount'] as const;
  describe.each(flavours)('$name', (flavour) => {
    it.each<{ readonly given: unknown; readonly path: string }>([
      { given: '/note', path: '/notes' },
      { given: '/notes', path: '/note' },
      { given: '/notes', path: '/Notes' },
      { given: '/notes', path: '/notes/1' },
      { given: '/notes/:id', path: '/notes' },
      { given: '/', path: '/notes' },
      { given: ['/'], path: '/notes' },
      { given: ['/'], path: '/' },
      { given: ['/a', '/notes'], path: '/notes' },
    ])('$given beside $path', ({ given, path }) => {
      const plan = { app: false, caseSensitive: false, strict: false, mergeParams: false, steps: [] };
      for (const place of places) {
        const built = flavour.router(plan) as Buildable;
        if (place === 'mount') built.use(given as string, () => undefined);
        else built.route(given as string);
        const layer = readRouter(built)?.stack[0];
        if (layer === undefined) throw new Error('a router without a layer');
        const actual = new IndexedLayer(layer).match(path, isComparable(path));
        expect([place, actual]).toEqual([place, matchLayer(layer, path)]);
      }
    });
  });
});

describe('which paths are plain', () => {
  test.each<{ readonly path: unknown; readonly expected: readonly (string | undefined)[] | undefined }>([
    { path: '/', expected: [] },
    { path: '/notes', expected: ['notes'] },
    { path: '/notes/:id', expected: ['notes', undefined] },
    { path: '/v1.0/:a/b/:c', expected: ['v1.0', undefined, 'b', undefined] },
    { path: '/notes/', expected: undefined },
    { path: '//notes', expected: undefined },
    { path: 'notes', expected: undefined },
    { path: '', expected: undefined },
    { path: '/notes/:id.json', expected: undefined },
    { path: '/notes/:a-:b', expected: undefined },
    { path: '/notes/:id?', expected: undefined },
    { path: '/notes/:id(\\d+)', expected: undefined },
    { path: '/notes{/:id}', expected: undefined },
    { path: '/notes/*rest', expected: undefined },
    { path: '/a+b', expected: undefined },
    { path: '/a%20b', expected: undefined },
    { path: /^\/notes$/, expected: undefined },
    { path: ['/a'], expected: undefined },
    { path: undefined, expected: undefined },
  ])('$path: $expected', ({ path, expected }) => {
    expect(readPlainPath(path)).toEqual(expected);
  });
});
