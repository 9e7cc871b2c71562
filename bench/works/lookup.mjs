import express from 'express';
import { EventEmitter } from 'node:events';
import { IncomingMessage } from 'node:http';
import { internalModule } from '../harness/library.mjs';

/** What a lookup of a target's methods costs, beside Express's own dispatch of the same path to its 404, in one process. */
export const lookup = {
  name: 'lookup',
  title: "Lookup of a target's methods, in-process",

  check: async () => (await lookup.measure({ counts: [10], share: 0.002 })).rows,

  async measure({ counts = [10, 100, 1_000, 10_000], share = 1 }) {
    const { createTargetInspection } = internalModule('routes/target-methods');
    const details = [];
    for (const [shape, make] of Object.entries({ flat, nested })) {
      for (const count of counts) {
        details.push(await measureLookup(createTargetInspection(), shape, make(count), count, { share }));
      }
    }
    details.push(
      await measureLookup(createTargetInspection(), 'thirty deep, 15,000 characters', deep(30), 30, {
        calls: 300,
        dispatches: 100,
        share,
      }),
    );
    return { rows: [], details };
  },
};

const handler = (_req, res) => res.end();

function flat(count) {
  const app = express();
  for (let i = 0; i < count; i++) app.get(`/resource${i}/:id`, handler);
  return { app, path: (i) => `/resource${i % count}/7` };
}

/** In routers of a hundred routes each. */
function nested(count) {
  const app = express();
  const each = Math.min(count, 100);
  for (let i = 0; i < count; i += each) {
    const router = express.Router();
    for (let j = 0; j < each; j++) router.get(`/item${j}/:id`, handler);
    app.use(`/group${i / each}`, router);
  }
  return { app, path: (i) => `/group${i % (count / each)}/item${i % each}/7` };
}

/** A router in a router, and so on; behind the last, a path that is too long to be cached. */
function deep(count) {
  const app = express();
  let outer = app;
  for (let i = 0; i < count; i++) {
    const router = express.Router();
    outer.use('/in', router);
    outer = router;
  }
  outer.get('/*rest', handler);
  return { app, path: (i) => `${'/in'.repeat(count)}/${i % 10}${'/x'.repeat(7_500)}` };
}

function request(app, method, url) {
  const req = Object.create(IncomingMessage.prototype);
  const server = new EventEmitter().on('request', app);
  return Object.assign(req, {
    method,
    url,
    originalUrl: url,
    baseUrl: '',
    headers: {},
    app,
    socket: { server },
  });
}

/** The median of rounds, in microseconds a call. */
async function measure(calls, call) {
  const rounds = [];
  for (let round = 0; round < 7; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) await call(i);
    rounds.push(Number(process.hrtime.bigint() - start) / 1000 / calls);
  }
  return rounds.sort((a, b) => a - b)[3];
}

/** Without `await`, which costs more than a lookup. */
function measureSync(calls, call) {
  const rounds = [];
  for (let round = 0; round < 7; round++) {
    const start = process.hrtime.bigint();
    for (let i = 0; i < calls; i++) call(i);
    rounds.push(Number(process.hrtime.bigint() - start) / 1000 / calls);
  }
  return rounds.sort((a, b) => a - b)[3];
}

async function measureLookup(
  inspect,
  shape,
  { app, path },
  count,
  { calls = 50_000, dispatches = count >= 1_000 ? 100 : 3_000, share },
) {
  const ask = (targets) => {
    const requests = Array.from({ length: targets }, (_, i) => request(app, 'OPTIONS', path(i * 7919)));
    return measureSync(Math.ceil(share * calls), (i) => inspect(requests[i % targets], handler));
  };
  const first = process.hrtime.bigint();
  inspect(request(app, 'OPTIONS', path(0)), handler);
  const indexed = Number(process.hrtime.bigint() - first) / 1e6;
  // Ten targets in turn at every size; and a thousand, whose regular expressions no longer fit the processor's caches.
  const ours = ask(10);
  const spread = ask(1_000);
  const response = () => ({ setHeader() {}, getHeader() {}, locals: {} });
  const dispatch = (i) =>
    new Promise((resolve) => {
      app(request(app, 'PURGE', path(i * 7919)), response(), resolve);
    });
  await measure(Math.ceil(share * 100), dispatch);
  const theirs = await measure(Math.ceil(share * dispatches), dispatch);
  return {
    shape,
    routes: count.toLocaleString('en'),
    'first lookup (ms)': indexed.toFixed(2),
    'lookup (µs)': ours.toFixed(2),
    'of 1,000 targets (µs)': spread.toFixed(2),
    'dispatch to 404 (µs)': theirs.toFixed(1),
    ratio: (ours / theirs).toFixed(4),
  };
}
