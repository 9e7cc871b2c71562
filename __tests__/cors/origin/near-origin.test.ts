import express from 'express';
import supertest from 'supertest';
import { corsPreflight, type CorsOptions, type CorsRefusal } from '../../../lib';
import { explainCors } from '../../../lib/explain';

interface Row {
  readonly what: string;
  readonly rules: Required<CorsOptions>['origin'];
  readonly origin: string;
  /** The origin that is named; undefined: none. */
  readonly near: string | undefined;
}

const app = 'https://app.example.com';
/** A row for rules that allow only `https://app.example.com`. */
const ofApp = (what: string, origin: string): Row => ({ what, rules: app, origin, near: app });
const far = (what: string, rules: Row['rules'], origin: string): Row => ({
  ...{ what, rules, origin, near: undefined },
});

const rows: readonly Row[] = [
  ofApp('another scheme', 'http://app.example.com'),
  ofApp('a port', 'https://app.example.com:8443'),
  ofApp('the default port, written out', 'https://app.example.com:443'),
  ofApp('another scheme and a port', 'http://app.example.com:8080'),
  ofApp('www.', 'https://www.app.example.com'),
  ofApp('www. and another scheme', 'http://www.app.example.com'),
  ofApp('a slash at the end', 'https://app.example.com/'),
  ofApp('a dot at the end', 'https://app.example.com.'),
  ofApp('upper case', 'https://App.example.com'),
  ofApp('another letter', 'https://app.exanple.com'),
  ofApp('a letter too many', 'https://app.exxample.com'),
  ofApp('a letter too few', 'https://app.exmple.com'),
  ofApp('two letters swapped', 'https://app.examlpe.com'),
  ofApp('another label of the same domain', 'https://admin.example.com'),
  ofApp('a label too few', 'https://example.com'),
  ofApp('a label too many', 'https://staging.app.example.com'),
  {
    what: 'no www. where it is listed',
    ...{ rules: 'https://www.example.co.uk', origin: 'https://example.co.uk' },
    near: 'https://www.example.co.uk',
  },
  {
    what: 'another port of localhost',
    ...{ rules: 'http://localhost:3000', origin: 'http://localhost:5173', near: 'http://localhost:3000' },
  },
  {
    what: 'another name of the loopback interface',
    ...{ rules: 'http://localhost:3000', origin: 'http://127.0.0.1:3000', near: 'http://localhost:3000' },
  },
  {
    what: 'another port of an address',
    ...{ rules: 'http://192.168.0.7:3000', origin: 'http://192.168.0.7', near: 'http://192.168.0.7:3000' },
  },
  {
    what: 'another scheme of an app',
    ...{ rules: 'ionic://localhost', origin: 'capacitor://localhost', near: 'ionic://localhost' },
  },
  {
    what: 'the nearest of several, wherever it stands',
    rules: ['https://admin.example.com', 'https://app.example.com:8443', app, 'https://www.app.example.com'],
    ...{ origin: 'http://app.example.com', near: app },
  },
  {
    what: 'the domain itself, where its sub-domains are allowed',
    ...{ rules: 'https://*.example.com', origin: 'https://example.com', near: 'https://www.example.com' },
  },
  {
    what: 'another scheme of a sub-domain',
    ...{ rules: 'https://*.example.com', origin: 'http://a.example.com', near: 'https://a.example.com' },
  },
  {
    what: 'a port, where a RegExp has none',
    ...{ rules: /^https:\/\/(?:a|b)\.example$/, origin: 'https://a.example:81', near: 'https://a.example' },
  },
  {
    what: 'a slash, where a RegExp has none',
    ...{ rules: /^https:\/\/(?:a|b)\.example$/, origin: 'https://a.example/', near: 'https://a.example' },
  },

  far('another domain', app, 'https://app.evil.com'),
  far('another top-level domain', app, 'https://app.example.org'),
  far('another domain under the same top-level domain', 'https://app.example', 'https://evil.example'),
  far('another domain under a public suffix', 'https://one.co.uk', 'https://two.co.uk'),
  far('another customer of a platform', 'https://alice.github.io', 'https://bob.github.io'),
  far('the listed name in front of another domain', app, 'https://app.example.com.evil.org'),
  far('the listed name at the end of another domain', 'https://example.com', 'https://my-example.com'),
  far('two letters', app, 'https://app.exannlpe.com'),
  far('another letter of a short label', 'https://a.test', 'https://b.test'),
  far('two labels', app, 'https://one.two.example.com'),
  far('a label and a scheme', app, 'http://admin.example.com'),
  far('a letter and a port', app, 'https://app.exmple.com:81'),
  far('another address', 'http://192.168.0.7', 'http://192.168.0.8'),
  far('an address, where a name is listed', app, 'https://[::1]'),
  far('null', app, 'null'),
  far('anything, where null is listed', 'null', app),
  far('a path', app, 'https://app.example.com/notes'),
  far('a user', app, 'https://app.example.com@evil.example'),
  far('what is no origin', app, 'app.example.com'),
  far('a function, which is not called for other origins', (origin) => origin === app, `${app}:81`),
];

test.each(rows)('$what: $origin', async ({ rules, origin, near }) => {
  const { code, reason } = await explainCors(express().use(corsPreflight({ origin: rules })), {
    origin,
    method: 'GET',
    path: '/',
  });
  expect(code).toBe('cors-origin-not-allowed');
  const unsent = /^(.*[^:/])\/(.*)$/.exec(origin);
  const detail =
    unsent === null
      ? 'The origin matches no rule of the option origin. Add it there if its pages may read the responses.'
      : `No browser sends ${unsent[2] === '' ? 'a slash at the end' : 'a path'}. Write '${String(unsent[1])}'.`;
  expect(reason).toBe(near === undefined ? detail : `${detail} ${near} is allowed, ${origin} is not.`);
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
