/**
 * Requests of a page to a service of another origin, and what Fetch makes of them. The cases are those of the web platform
 * tests on CORS (`cors/`, `fetch/api/cors/`, `xhr/access-control-*`), put to this middleware: where these let a server
 * answer anything, here stand the policies and routes that come to it.
 */
import type { CorsOptions } from 'patch-options';

/** By name: the options of a service, given the origin of the page and that of another. */
export const policies = {
  any: () => ({}),
  page: (page: string) => ({ origin: page }),
  list: (page: string, stranger: string) => ({ origin: [stranger, page] }),
  port: () => ({ origin: 'http://127.0.0.1:*' }),
  predicate: (page: string) => ({ origin: (asking: string) => asking === page }),
  promise: (page: string) => ({ origin: (asking: string) => Promise.resolve(asking === page) }),
  stranger: (_: string, stranger: string) => ({ origin: stranger }),
  'other port': (page: string) => ({ origin: page.replace(/\d+$/, '1') }),
  https: (page: string) => ({ origin: page.replace('http:', 'https:') }),
  'sub-domains': () => ({ origin: 'http://*.example.com' }),
  null: () => ({ origin: 'null' }),
  'null and page': (page: string) => ({ origin: ['null', page] }),
  no: () => ({ origin: () => false }),
  'later no': () => ({ origin: () => Promise.resolve(false) }),
  throws: () => ({
    origin: () => {
      throw new Error('fault');
    },
  }),
  credentials: (page: string) => ({ origin: page, credentials: true }),
  'any with credentials': () => ({
    origin: '*',
    credentials: true,
    dangerouslyAllowAnyOriginWithCredentials: true,
  }),
  'no headers': () => ({ allowedHeaders: { only: [] } }),
  headers: () => ({ allowedHeaders: { only: ['X-Print', 'y-PRINT'] } }),
  'any header': () => ({ allowedHeaders: '*' }),
  'any header, Authorization': () => ({ allowedHeaders: '*, Authorization' }),
  'requested headers': (page: string) => ({ origin: page, credentials: true, allowedHeaders: 'requested' }),
  'only PATCH': () => ({ methods: 'PATCH' }),
  fallbackMethods: () => ({ fallbackMethods: ['GET', 'PUT'] }),
} satisfies Readonly<Record<string, (page: string, stranger: string) => CorsOptions>>;

export type PolicyName = keyof typeof policies;

/** What comes of a request: the page reads the answer or not, and whether the browser has asked first. */
export interface Verdict {
  readonly allowed: boolean;
  readonly preflight: boolean;
}

export interface PlatformRow extends Verdict {
  readonly title: string;
  readonly policy: PolicyName;
  readonly path: string;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: boolean;
  /** By XMLHttpRequest, of whose upload the page hears. */
  readonly upload: boolean;
  /** From a sandboxed frame, whose origin is null. */
  readonly inFrame: boolean;
  /** What Chromium does, where it is not what Fetch says. */
  readonly chromium?: Verdict;
}

type Given = Partial<Omit<PlatformRow, 'title'>>;

function row(title: string, given: Given): PlatformRow {
  const { allowed = true, preflight = false } = given;
  const defaults = { policy: 'any', path: '/thing', method: 'GET', headers: {} } as const;
  const flags = { credentials: false, upload: false, inFrame: false };
  return { title, ...defaults, ...flags, ...given, allowed, preflight };
}

/** A value of a header for which browsers ask, or do not: where nothing is allowed, to be asked is to be refused. */
function safelist(name: string, value: string, asks: boolean, chromium?: Verdict): PlatformRow {
  const shown = value.length > 60 ? `${value.slice(0, 60)}…` : value;
  return row(`${name}: ${JSON.stringify(shown)}`, {
    policy: 'no headers',
    method: 'POST',
    headers: { [name]: value },
    preflight: asks,
    allowed: !asks,
    ...(chromium === undefined ? {} : { chromium }),
  });
}

const long = '0123456789'.repeat(13);

/** cors-safelisted-request-header.any, cors-preflight-not-cors-safelisted.any. */
const requestHeaders: readonly PlatformRow[] = [
  ...[
    'text/plain',
    'text/plain;',
    'text/plain;garbage',
    'text/plain; parameter=whatever',
    'Text/Plain;charset=utf-8',
    'multipart/form-data',
    'application/x-www-form-urlencoded',
  ].map((value) => safelist('content-type', value, false)),
  ...[
    'text /plain',
    'text\t/\tplain',
    'text/plain,',
    ',text/plain',
    'text/plain,text/plain',
    'text/plain,x/x',
    'text/html',
    'application/json',
    'application/merge-patch+json',
    'application/www-form-urlencoded',
    'multipart/form-data;"',
    `text/plain; long=${long}`,
  ].map((value) => safelist('content-type', value, true)),
  ...['bytes=100-200', 'bytes=200-', 'bytes=0-0'].map((value) => safelist('range', value, false)),
  ...[
    '100-200',
    'MB=100-200',
    'bytes =100-200',
    'bytes=  100-200',
    'bytes=100 -200',
    'bytes=100- 200',
    'bytes=100-200hello',
    'bytes=abc-def',
    'bytes=100-200,300-400',
    'bytes=-200',
    'bytes=200-100',
    `bytes=1${'0'.repeat(60)}-2${'0'.repeat(60)}`,
    'bytes 0-',
    ',bytes=100-200',
    'bytes=,100-200',
  ].map((value) => safelist('range', value, true)),
  ...['test', '*/*', 'text/html;q=0.9', long.slice(0, 128)].map((value) => safelist('accept', value, false)),
  ...['"', 'a:b', 'a(b', 'a@b', long].map((value) => safelist('accept', value, true)),
  ...['fr', 'nn-NO, nn;q=0.5', '*'].map((value) => safelist('accept-language', value, false)),
  ...['@', 'nn_NO', 'a"b', long].map((value) => safelist('accept-language', value, true)),
  ...['eu', 'mi, en'].map((value) => safelist('content-language', value, false)),
  ...['@', 'a/b'].map((value) => safelist('content-language', value, true)),
  ...[
    'authorization',
    'test',
    'x-requested-with',
    'if-match',
    'prefer',
    'idempotency-key',
    'cache-control',
    'last-event-id',
  ].map((name) => safelist(name, 'basics', true)),
];

/** simple-requests, cors-no-preflight.any. */
const simple: readonly PlatformRow[] = [
  ...['GET', 'HEAD', 'POST', 'get', 'Post'].flatMap((method) =>
    [
      {},
      { Accept: 'test' },
      { 'CONTENT-language': 'test' },
      { 'content-type': 'text/plain' },
      { accept: 'a', 'accept-language': 'b', 'content-language': 'c', 'content-type': 'text/plain; d=e' },
    ].map((headers) =>
      row(`${method} with ${Object.keys(headers).join(', ') || 'nothing'}`, {
        policy: 'page',
        method,
        headers,
      }),
    ),
  ),
];

const sentAsked = { preflight: true, allowed: true };
const refusedAsked = { preflight: true, allowed: false };

/** Which of these methods the routes of a path handle, as a preflight for it says. */
const served: Readonly<Record<string, readonly string[]>> = {
  '/thing': ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  '/get-only': ['OPTIONS'],
  '/all': ['PUT', 'PATCH', 'DELETE', 'OPTIONS'],
  // By Express's own Allow.
  '/hidden': ['PUT'],
  '/nowhere': [],
};

/** cors-preflight.any, xhr/access-control-preflight-async-method-denied. */
const methods: readonly PlatformRow[] = [
  ...Object.entries(served).flatMap(([path, handled]) =>
    ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'put', 'Delete', 'patch', 'PURGE'].map((method) => {
      const normalized = /^(?:put|delete)$/i.test(method) ? method.toUpperCase() : method;
      return row(`${method} ${path}`, {
        path,
        method,
        preflight: true,
        allowed: handled.includes(normalized),
      });
    }),
  ),
  ...['GET', 'HEAD', 'POST'].map((method) =>
    row(`${method}, which a path without routes answers 404, is read`, { path: '/nowhere', method }),
  ),
  row('POST, which only a 405 answers, is read', { path: '/get-only', method: 'POST' }),
  row('a safelisted method that the policy leaves out', {
    policy: 'only PATCH',
    headers: { 'if-match': '*' },
    ...sentAsked,
  }),
  row('PATCH, which it has', { policy: 'only PATCH', method: 'PATCH', ...sentAsked }),
  row('PUT, which it has not', { policy: 'only PATCH', method: 'PUT', ...refusedAsked }),
  row('fallbackMethods: PUT', { policy: 'fallbackMethods', path: '/nowhere', method: 'PUT', ...sentAsked }),
  row('fallbackMethods: DELETE, which is not in it', {
    policy: 'fallbackMethods',
    path: '/nowhere',
    method: 'DELETE',
    ...refusedAsked,
  }),
  row('fallbackMethods: GET with a header', {
    policy: 'fallbackMethods',
    path: '/nowhere',
    headers: { prefer: 'a' },
    ...sentAsked,
  }),
  row('fallbackMethods: where routes are seen it has no say', {
    policy: 'fallbackMethods',
    method: 'PATCH',
    ...sentAsked,
  }),
];

/** origin, basic, xhr/access-control-sandboxed-iframe-*, data-url-iframe: the origins that a policy allows. */
const origins: readonly PlatformRow[] = [
  ...(['any', 'page', 'list', 'port', 'predicate', 'promise', 'null and page'] as const).flatMap((policy) => [
    row(`GET under ${policy}`, { policy }),
    row(`PUT under ${policy}`, { policy, method: 'PUT', ...sentAsked }),
  ]),
  ...(
    ['stranger', 'other port', 'https', 'sub-domains', 'null', 'no', 'later no', 'throws'] as const
  ).flatMap((policy) => [
    row(`GET under ${policy}`, { policy, allowed: false }),
    row(`PUT under ${policy}`, { policy, method: 'PUT', ...refusedAsked }),
    row(`GET of no route under ${policy}`, { policy, path: '/nowhere', allowed: false }),
  ]),
  ...(['any', 'null', 'null and page'] as const).flatMap((policy) => [
    row(`a frame's GET under ${policy}`, { policy, inFrame: true }),
    row(`a frame's PUT under ${policy}`, { policy, inFrame: true, method: 'PUT', ...sentAsked }),
  ]),
  ...(['page', 'port', 'no'] as const).flatMap((policy) => [
    row(`a frame's GET under ${policy}`, { policy, inFrame: true, allowed: false }),
    row(`a frame's PUT under ${policy}`, { policy, inFrame: true, method: 'PUT', ...refusedAsked }),
  ]),
];

const print = { 'x-print': 'unicorn' };

/** request-headers, allow-headers, cors-preflight-star.any, xhr/access-control-preflight-*-header-denied. */
const allowedHeaders: readonly PlatformRow[] = [
  row('a header that is allowed', { policy: 'headers', headers: print, ...sentAsked }),
  row('in any case', { policy: 'headers', headers: { 'X-PRINT': 'a', 'Y-Print': 'b' }, ...sentAsked }),
  row('beside those that are safelisted', {
    policy: 'headers',
    headers: { ...print, 'content-type': 'text/plain', accept: 'test', 'accept-language': 'nn' },
    ...sentAsked,
  }),
  row('beside one that is not allowed', {
    policy: 'headers',
    headers: { ...print, 'z-print': 'c' },
    ...refusedAsked,
  }),
  row('beside one that is not safelisted', {
    policy: 'headers',
    headers: { ...print, 'content-type': 'application/json' },
    ...refusedAsked,
  }),
  ...['GET', 'HEAD', 'POST', 'PUT', 'PATCH'].flatMap((method) => [
    row(`${method} with any header`, {
      policy: 'any header',
      method,
      headers: { 'x-any': '1' },
      ...sentAsked,
    }),
    row(`${method} with no header allowed`, {
      policy: 'no headers',
      method,
      headers: { 'x-any': '1' },
      ...refusedAsked,
    }),
  ]),
  row("Authorization is not covered by '*'", {
    policy: 'any header',
    headers: { authorization: 'Bearer a' },
    ...refusedAsked,
    chromium: sentAsked,
  }),
  row("Authorization beside '*'", {
    policy: 'any header, Authorization',
    headers: { authorization: 'Bearer a', 'x-any': '1' },
    ...sentAsked,
  }),
  row('Authorization by default', { headers: { authorization: 'Bearer a' }, ...sentAsked }),
  row("a header that is called '*'", { policy: 'any header', headers: { '*': '1' }, ...sentAsked }),
  row('150 headers under any', {
    policy: 'any header',
    headers: Object.fromEntries(Array.from({ length: 150 }, (_, i) => [`x-${i}`, '1'])),
    ...sentAsked,
  }),
  row('those requested', {
    policy: 'requested headers',
    headers: { authorization: 'a', 'X-One': '1', 'x-two': '2' },
    ...sentAsked,
  }),
  row('those requested, with credentials', {
    policy: 'requested headers',
    headers: { authorization: 'a', 'X-One': '1' },
    credentials: true,
    ...sentAsked,
  }),
  row('129 requested', {
    policy: 'requested headers',
    headers: Object.fromEntries(Array.from({ length: 129 }, (_, i) => [`x-${i}`, '1'])),
    ...refusedAsked,
  }),
];

/** Fetch, forbidden request-header: browsers leave them out, and need not ask. */
const forbidden: readonly PlatformRow[] = [
  ...[
    'Cookie',
    'Host',
    'Origin',
    'Referer',
    'Sec-Fetch-Site',
    'Proxy-Any',
    'Date',
    'DNT',
    'Expect',
    'TE',
    'Via',
  ].map((name) => row(`${name} is left out`, { policy: 'no headers', headers: { [name]: 'a' } })),
  ...['TRACE', 'GET, track', 'connect'].map((value) =>
    row(`X-HTTP-Method-Override: ${value} is left out`, {
      policy: 'no headers',
      headers: { 'X-HTTP-Method-Override': value },
    }),
  ),
  row('X-HTTP-Method-Override: GET is asked for', {
    policy: 'no headers',
    headers: { 'X-HTTP-Method-Override': 'GET' },
    ...refusedAsked,
  }),
  ...[
    ['User-Agent', 'mine'],
    ['Save-Data', 'on'],
    ['Device-Memory', '1'],
    ['DPR', '1'],
    ['Width', '1'],
    ['Viewport-Width', '1'],
    ['RTT', '1'],
    ['Downlink', '1'],
    ['ECT', '4g'],
  ].map(([name = '', value = '']) =>
    row(`${name}, for which Chromium does not ask`, {
      policy: 'no headers',
      headers: { [name]: value },
      ...refusedAsked,
      chromium: { allowed: true, preflight: false },
    }),
  ),
  ...['off', '1'].map((value) =>
    row(`Save-Data: ${value}, for which it does`, {
      policy: 'no headers',
      headers: { 'Save-Data': value },
      ...refusedAsked,
    }),
  ),
  row('beside one that is asked for', {
    policy: 'headers',
    headers: { cookie: 'a', 'x-print': 'b' },
    ...sentAsked,
  }),
];

/** credentials-flag, cors-cookies.any, xhr/access-control-preflight-credential-async. */
const withCredentials: readonly PlatformRow[] = (
  [
    ['any', false],
    ['page', false],
    ['promise', false],
    ['credentials', true],
    ['any with credentials', true],
  ] as const
).flatMap(([policy, allowed]) => [
  row(`GET with credentials under ${policy}`, { policy, credentials: true, allowed }),
  row(`PATCH with credentials under ${policy}`, {
    policy,
    method: 'PATCH',
    credentials: true,
    preflight: true,
    allowed,
  }),
  row(`GET without under ${policy}`, { policy }),
]);

/** status, status-async, status-preflight, cors-preflight-status.any. */
const statuses: readonly PlatformRow[] = [
  ...[200, 201, 203, 204, 205, 206, 299, 400, 401, 404, 412, 500, 503].flatMap((status) => [
    row(`GET of a ${status} is read`, { path: `/status/${status}` }),
    row(`PUT of a ${status} is read`, { path: `/status/${status}`, method: 'PUT', ...sentAsked }),
  ]),
  row('a fault is read', { path: '/boom' }),
  row('a fault after a preflight is read', { path: '/boom', headers: { prefer: 'a' }, ...sentAsked }),
];

/** late-upload-events, xhr/event-upload-progress: the use-CORS-preflight flag. */
const uploads: readonly PlatformRow[] = [
  row('POST of which the page hears', { method: 'POST', upload: true, ...sentAsked }),
  row('PATCH of which the page hears', { method: 'PATCH', upload: true, ...sentAsked }),
  row('POST where no route is', { path: '/nowhere', method: 'POST', upload: true, ...refusedAsked }),
  row('POST where no route handles it', { path: '/get-only', method: 'POST', upload: true, ...sentAsked }),
  row('DELETE where the policy leaves it out', {
    policy: 'only PATCH',
    method: 'DELETE',
    upload: true,
    ...refusedAsked,
  }),
];

export const platformRows: readonly PlatformRow[] = [
  ...requestHeaders,
  ...simple,
  ...methods,
  ...origins,
  ...allowedHeaders,
  ...forbidden,
  ...withCredentials,
  ...statuses,
  ...uploads,
];
