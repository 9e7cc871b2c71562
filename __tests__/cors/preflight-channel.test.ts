/** `tracingChannel('patch-options:preflight')`: the decision on each preflight. */
import { tracingChannel } from 'node:diagnostics_channel';
import express, { type RequestHandler } from 'express';
import request from 'supertest';
import { corsPreflight, type CorsOptions, type PreflightDecision } from '../../lib';

const origin = 'https://app.example';
const { end } = tracingChannel('patch-options:preflight');

let events: PreflightDecision[] = [];
const keep = (message: unknown): void => void events.push(message as PreflightDecision);
beforeEach(() => {
  events = [];
  end.subscribe(keep);
});
afterEach(() => {
  end.unsubscribe(keep);
});

function appWith(options: CorsOptions) {
  const done: RequestHandler = (_req, res) => void res.end();
  const app = express().use(corsPreflight(options));
  return app.get('/notes', done).options('/hand-written', done);
}

interface Row {
  readonly what: string;
  readonly options?: CorsOptions;
  readonly path?: string;
  readonly origin?: string;
  readonly headers?: string;
  readonly outcome: string;
  /** Whether no route is visible, so that the app answers. */
  readonly isPassedOn?: boolean;
}

test.each<Row>([
  { what: 'a route', outcome: 'allowed' },
  { what: 'a promise', options: { origin: () => Promise.resolve(true) }, outcome: 'allowed' },
  { what: 'no visible route', path: '/nowhere', outcome: 'allowed', isPassedOn: true },
  { what: 'fallbackMethods', path: '/nowhere', options: { fallbackMethods: 'GET' }, outcome: 'allowed' },
  { what: 'another origin', origin: 'https://other.example', outcome: 'cors-origin-not-allowed' },
  { what: 'two origins', origin: `${origin}, ${origin}`, outcome: 'cors-origin-repeated' },
  {
    what: 'a function that rejects',
    options: { origin: () => Promise.reject(new Error('down')) },
    outcome: 'cors-predicate-failed',
  },
  {
    what: 'malformed header names',
    options: { allowedHeaders: 'requested' },
    headers: 'x a',
    outcome: 'cors-headers-malformed',
  },
])(
  '$what: $outcome',
  async ({ options, path = '/notes', origin: page = origin, headers, outcome, isPassedOn }) => {
    const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
    const asking = { origin: page, 'access-control-request-method': 'GET' };
    const more = headers === undefined ? {} : { 'access-control-request-headers': headers };
    const answer = await request(appWith({ origin, ...options }))
      .options(path)
      .set({ ...asking, ...more });
    const status = isPassedOn === true ? undefined : answer.status;
    expect(answer.ok).toBe(outcome === 'allowed' && isPassedOn !== true);
    expect(events).toEqual([{ origin: page, outcome, status }]);
    warned.mockRestore();
  },
);

test('what is no preflight has no decision', async () => {
  const app = appWith({ origin });
  await request(app).get('/notes').set({ origin });
  await request(app).get('/notes').set({ origin: 'https://other.example' });
  await request(app).options('/notes').set({ origin });
  await request(app).options('/notes').set({ 'access-control-request-method': 'GET' });
  expect(events).toEqual([]);
});

test('the first of two instances decides, once', async () => {
  const app = express().use(corsPreflight({ origin }), corsPreflight({ origin }));
  const asking = { origin, 'access-control-request-method': 'GET' };
  await request(app).options('/nowhere').set(asking);
  expect(events).toEqual([{ origin, outcome: 'allowed', status: undefined }]);
});
