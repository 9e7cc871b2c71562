import { requests } from './route-groups.mjs';

/** No route has POST for an item. */
const refusedBy = (server, groups) => ({
  server: { ...server, options: { groups } },
  requests: requests('POST', groups, {}),
  answer: { status: 405, fields: { allow: /^(?!.*POST)(?=.*GET)(?=.*DELETE)/ } },
});

/** What Express itself answers to the same request, after it has asked every layer. */
const notFoundBy = (groups) => ({
  server: { module: 'express', maker: 'builtIn', options: { groups } },
  requests: requests('POST', groups, {}),
  answer: { status: 404, fields: {} },
});

/** Without a goal: another framework answers everything at another cost. */
export const methodNotAllowed = {
  name: 'method-not-allowed',
  title: '405 with the methods of the target',
  clients: 16,
  loads: Object.fromEntries(
    [3, 1_000].flatMap((groups) => [
      [`ours ${groups}`, refusedBy({ module: 'express', maker: 'refusing' }, groups)],
      [`hono ${groups}`, refusedBy({ module: 'hono', maker: 'refusing' }, groups)],
      [`express ${groups}`, notFoundBy(groups)],
    ]),
  ),
  alike: 'hono 3',
  rows: [3, 1_000].flatMap((groups) => {
    const work = `405 by app.use(methodNotAllowed()), ${groups.toLocaleString('en')} route groups`;
    return [
      { work, ours: `ours ${groups}`, beside: "Express's own 404", other: `express ${groups}` },
      { work, ours: `ours ${groups}`, beside: "Hono's methodNotAllowed", other: `hono ${groups}` },
    ];
  }),
};
