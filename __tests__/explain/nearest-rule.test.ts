import express from 'express';
import supertest from 'supertest';
import { corsPreflight, type CorsOptions, type CorsRefusal } from '../../lib';
import { explainCors } from '../../lib/explain';

interface Row {
  readonly what: string;
  readonly rules: Required<CorsOptions>['origin'];
  readonly origin: string;
  /** The origin that is named; undefined: none. */
  readonly near: string | undefined;
}

const app = 'https://app.example.com';

const rows: readonly Row[] = [
  { what: 'another scheme', rules: app, origin: 'http://app.example.com', near: app },
  { what: 'a port', rules: app, origin: 'https://app.example.com:8443', near: app },
  {
    what: 'the nearest of several, wherever it stands',
    rules: ['https://admin.example.com', 'https://app.example.com:8443', app, 'https://www.app.example.com'],
    ...{ origin: 'http://app.example.com', near: app },
  },
  {
    what: 'the domain itself, where its sub-domains are allowed',
    ...{ rules: 'https://*.example.com', origin: 'https://example.com', near: 'https://*.example.com' },
  },
  { what: 'null', rules: app, origin: 'null', near: undefined },
  { what: 'what is far', rules: app, origin: 'https://my-shop.vercel.app', near: undefined },
  {
    what: 'a function, which is not called for other origins',
    ...{ rules: (origin) => origin === app, origin: `${app}:81`, near: undefined },
  },
];

test.each(rows)('$what: $origin', async ({ rules, origin, near }) => {
  const { code, reason } = await explainCors(express().use(corsPreflight({ origin: rules })), {
    origin,
    method: 'GET',
    path: '/',
  });
  expect(code).toBe('cors-origin-not-allowed');
  const detail =
    'The origin matches no rule of the option origin. Add it there if its pages may read the responses.';
  expect(reason).toBe(near === undefined ? detail : `${detail} The nearest rule is '${near}'.`);
});

test('a function is called once, with the origin of the page', async () => {
  const called: string[] = [];
  const only = (origin: string): boolean => {
    called.push(origin);
    return false;
  };
  await explainCors(express().use(corsPreflight({ origin: [app, only] })), {
    origin: `${app}:81`,
    method: 'GET',
    path: '/',
  });
  expect(called).toEqual([`${app}:81`]);
});

test('nothing of it is sent, or told to onRefused, which can pass it on', async () => {
  const refusals: CorsRefusal[] = [];
  const onRefused = (refusal: CorsRefusal): void => void refusals.push(refusal);
  const service = express().use(corsPreflight({ origin: app, onRefused }));
  service.get('/', (_req, res) => void res.json({}));
  const fields = { origin: 'http://app.example.com', 'access-control-request-method': 'PATCH' };
  const answers = [
    await supertest(service).options('/').set(fields).expect(403),
    await supertest(service).get('/').set(fields).expect(200),
  ];
  for (const { text, headers } of answers) expect(text + JSON.stringify(headers)).not.toContain(app);
  expect(refusals.map(({ detail }) => detail)).toEqual(Array(2).fill(expect.not.stringContaining(app)));
});
