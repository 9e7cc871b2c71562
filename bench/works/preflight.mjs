import { origin } from '../servers/cors-policy.mjs';
import { requests } from './route-groups.mjs';

const preflightFields = {
  Origin: origin,
  'Access-Control-Request-Method': 'PATCH',
  'Access-Control-Request-Headers': 'content-type,if-match',
};

const allowed = { 'access-control-allow-origin': origin, 'access-control-allow-methods': /\bPATCH\b/ };
const anything = { status: 200, fields: {} };

function preflightsTo(server, groups, answer) {
  return {
    server: { ...server, options: { groups } },
    requests: requests('OPTIONS', groups, preflightFields),
    answer,
  };
}
const ours = { status: 200, fields: { ...allowed, vary: /Origin/ } };
const recited = { status: 204, fields: allowed };

export const preflight = {
  name: 'preflight',
  title: 'Preflights through Express 5',
  clients: 16,
  loads: Object.fromEntries(
    [3, 1_000].flatMap((groups) => [
      [`ours ${groups}`, preflightsTo({ module: 'express', maker: 'preflight' }, groups, ours)],
      [`cors ${groups}`, preflightsTo({ module: 'express', maker: 'recited' }, groups, recited)],
      [`bare ${groups}`, preflightsTo({ module: 'express', maker: 'bare' }, groups, anything)],
    ]),
  ),
  alike: 'cors 3',
  /** Differences between servers need more of them. */
  slices: ({ rounds, seconds }) => ({ rounds: 2 * rounds, seconds }),
  rows: [3, 1_000].flatMap((groups) => {
    const work = `preflight through app.use(corsPreflight(…)), ${groups.toLocaleString('en')} route groups`;
    const [ours, other, base] = [`ours ${groups}`, `cors ${groups}`, `bare ${groups}`];
    const bar = groups === 3 ? ['A preflight', 'npm cors'] : undefined;
    return [
      { work, ours, beside: 'npm cors, static list', other, goal: 1, bar },
      {
        work: `what it adds to bare Express: ${work}`,
        ours,
        beside: 'what npm cors adds',
        other,
        base,
        goal: 0.8,
      },
    ];
  }),
};

const listener = { module: 'express', maker: 'listener' };
const bareNode = { module: 'node', maker: 'bare' };

export const preflightListener = {
  name: 'preflight-listener',
  title: 'Preflights through optionsListener',
  clients: 16,
  loads: {
    bare: preflightsTo(bareNode, 3, anything),
    recited: preflightsTo({ module: 'node', maker: 'recited' }, 3, ours),
    ...Object.fromEntries(
      [3, 1_000].flatMap((groups) => [
        [`ours ${groups}`, preflightsTo(listener, groups, ours)],
        [`fastify ${groups}`, preflightsTo({ module: 'fastify', maker: 'recited' }, groups, recited)],
        [`hono ${groups}`, preflightsTo({ module: 'hono', maker: 'recited' }, groups, recited)],
      ]),
    ),
  },
  alike: 'bare',
  rows: [3, 1_000].flatMap((groups) => {
    const work = `preflight through optionsListener(app, …), ${groups.toLocaleString('en')} route groups`;
    return [
      { work, ours: `ours ${groups}`, beside: 'bare node:http', other: 'bare', goal: 1.15 },
      { work, ours: `ours ${groups}`, beside: 'node:http that writes the same headers', other: 'recited' },
      {
        work,
        ours: `ours ${groups}`,
        beside: 'Fastify + @fastify/cors',
        other: `fastify ${groups}`,
        goal: 1,
      },
      { work, ours: `ours ${groups}`, beside: 'Hono + cors', other: `hono ${groups}`, goal: 1 },
    ];
  }),
};

const longList = Array.from({ length: 512 }, (_, i) => `x-field-${String(i).padStart(7, '0')}`).join(',');
const hostile = {
  long: { ...preflightFields, 'Access-Control-Request-Headers': longList },
  refused: { ...preflightFields, Origin: 'https://app.example.evil.example' },
};
const hostileTo = (server, kind, answer) => ({
  server: { ...server, options: { groups: 3 } },
  requests: requests('OPTIONS', 3, hostile[kind]),
  answer,
});

export const preflightHostile = {
  name: 'preflight-hostile',
  title: 'Hostile preflights through optionsListener',
  clients: 16,
  loads: {
    'ours long': hostileTo(listener, 'long', ours),
    'bare long': hostileTo(bareNode, 'long', anything),
    'ours refused': hostileTo(listener, 'refused', {
      status: 403,
      fields: { 'access-control-allow-origin': undefined },
    }),
    'bare refused': hostileTo(bareNode, 'refused', anything),
  },
  alike: 'bare refused',
  rows: [
    {
      work: 'preflight with 8 KB of Access-Control-Request-Headers, optionsListener',
      ours: 'ours long',
      beside: 'bare node:http, same request',
      other: 'bare long',
      goal: 1.15,
    },
    {
      work: 'preflight of a refused origin, optionsListener',
      ours: 'ours refused',
      beside: 'bare node:http, same request',
      other: 'bare refused',
      goal: 1.15,
    },
  ],
};
