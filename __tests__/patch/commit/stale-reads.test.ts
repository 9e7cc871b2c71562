import supertest from 'supertest';
import { ProblemError } from '../../../lib/http/problem';
import { mergePatch } from '../../../lib/parsers/merge-patch';
import { patchHandler } from '../../../lib/patch/patch-handler';
import type { PatchHandlerOptions } from '../../../lib/patch/options/handler-options';
import { frameworks } from '../../support/frameworks';
import { describePatchesOver } from '../tables/index';
import { serving } from '../../support/serving';
import { StaleStore } from './stale-store';

const gone = Object.freeze({
  value: Object.freeze({ id: '7', title: 'Gone', locked: true, tags: [] }),
  version: 'gone',
  modified: new Date(0),
});

describe.each([
  { what: 'a state that is gone', stale: gone },
  { what: 'nothing', stale: undefined },
])('over a store that remembers $what', ({ stale }) => {
  describePatchesOver(() => Promise.resolve(new StaleStore(stale)));
});

describe.each(frameworks.slice(0, 1))(
  'what was decided on a state that is gone is decided again (%s)',
  (_, express) => {
    const present = { title: 'Present' };

    const patched = async (store: StaleStore, options: PatchHandlerOptions<unknown> = {}) => {
      await store.replace('7', null, present);
      store.calls.length = 0;
      const app = express();
      const key = (req: { params: { id?: string } }) => req.params.id;
      app.patch('/things/:id', patchHandler(store, [mergePatch()], { key, ...options }));
      return serving(app, (server) =>
        supertest(server).patch('/things/7').type('application/merge-patch+json').send('{"mine":1}'),
      );
    };

    test.each([0, 1, 15])('a write lost on it is no lost race; retries: %d', async (retries) => {
      const store = new StaleStore(gone);
      expect((await patched(store, { retries })).status).toBe(204);
      expect(store.calls).toEqual(['stale get', 'replace', 'get', 'replace']);
      expect((await store.get('7'))?.value).toEqual({ ...present, mine: 1 });
    });

    test('what your app throws because of it is no fault', async () => {
      const validate = (_next: unknown, current: unknown) => {
        if (isLocked(current)) throw new Error('Locked');
        return [];
      };
      const store = new StaleStore(gone);
      expect((await patched(store, { validate })).status).toBe(204);
      expect(store.calls).toEqual(['stale get', 'get', 'replace']);
    });

    test('that the store refuses what was made of it is no refusal', async () => {
      const store = new StaleStore(gone);
      const replace = store.replace.bind(store);
      store.replace = (key, expected, next, context) =>
        isLocked(next) ? Promise.reject(tooLarge) : replace(key, expected, next, context);
      expect((await patched(store)).status).toBe(204);
      expect((await store.get('7'))?.value).toEqual({ ...present, mine: 1 });
    });

    test('but not a write that failed: it may have been carried out', async () => {
      const store = new StaleStore(gone);
      const replace = store.replace.bind(store);
      store.replace = (key, expected, next, context) =>
        isLocked(next) ? Promise.reject(new Error('No answer')) : replace(key, expected, next, context);
      expect((await patched(store)).status).toBe(500);
      expect(store.calls).toEqual(['stale get']);
    });

    test('a dry run, which no write would confirm', async () => {
      const store = new StaleStore(gone);
      const answer = await patched(store, { dryRun: () => true, respond: 'representation' });
      expect(answer.body).toEqual({ ...present, mine: 1 });
    });
  },
);

const tooLarge = new ProblemError(413, 'limit-result', 'Too large.');

function isLocked(value: unknown): boolean {
  return Reflect.get(Object(value) as object, 'locked') === true;
}
