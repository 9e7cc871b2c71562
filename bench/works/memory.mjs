import { randomBytes } from 'node:crypto';
import { join } from 'node:path';
import { assertAnswers } from '../harness/assert-answers.mjs';
import { origin } from '../servers/cors-policy.mjs';
import { ServerProcess } from '../harness/server-process.mjs';
import { temporaryFolder } from '../harness/temporary-folder.mjs';
import { load, writeRequests } from '../harness/wrk.mjs';

const targets = 5_000;
const all = 240_000;

/**
 * What is left on the heap, in turn with the collector, while one server answers preflights of random paths, and PATCHes
 * of random keys, that the first of them creates. Each path and key is seen in the first tenth.
 */
export const memory = {
  name: 'memory',
  title: 'Memory',

  async check() {
    const server = await startServer();
    try {
      const fields = { 'access-control-allow-origin': origin };
      for (const [make, status] of [
        [preflight, 200],
        [patch, 201],
      ]) {
        await assertAnswers('memory', server.port, Array.from({ length: 3 }, make), { status, fields });
      }
    } finally {
      await server.stop();
    }
    return [row];
  },

  async measure({ requests = all }) {
    const folder = temporaryFolder();
    const server = await startServer();
    try {
      const file = join(folder, 'requests');
      writeRequests(file, Array.from({ length: targets }, () => [preflight(), patch()]).flat());
      const readings = [{ answered: 0, bytes: await server.ask('heap') }];
      let answered = 0;
      let rate = 10_000;
      for (let tenth = 1; tenth <= 10; tenth++) {
        while (answered < (tenth * requests) / 10) {
          const seconds = Math.max(0.2, ((tenth * requests) / 10 - answered) / rate);
          const slice = await load({ port: server.port, file, clients: 16, seconds });
          if (slice.refused + slice.broken > 0)
            throw new Error('memory: some answers were not as they should be');
          answered += slice.requests;
          rate = slice.requests / slice.seconds;
        }
        readings.push({ answered, bytes: await server.ask('heap') });
      }
      return results(readings);
    } finally {
      await server.stop();
    }
  },
};

const startServer = () => ServerProcess.start({ module: 'everything', maker: 'everything', options: {} });

const row = {
  work: `heap after the last tenth of preflights and PATCHes, ${targets.toLocaleString('en')} random paths and keys`,
  beside: 'the heap after the first tenth',
  goal: 1,
};

/** The least that could be kept of a request is an object, of 12 bytes and more: below one byte a request, nothing is. */
function results(readings) {
  const [, first] = readings;
  const last = readings.at(-1);
  const ratio = last.bytes / first.bytes;
  return {
    rows: [
      {
        ...row,
        ratio: { median: ratio, low: ratio, high: ratio },
        spread: (last.answered - first.answered) / first.bytes,
      },
    ],
    details: readings.map(({ answered, bytes }) => ({
      'requests answered': answered.toLocaleString('en'),
      'on the heap (MB)': (bytes / 1e6).toFixed(2),
    })),
  };
}

const name = () => randomBytes(6).toString('hex');

const preflight = () => ({
  method: 'OPTIONS',
  path: `/${name()}/${name()}`,
  headers: { Origin: origin, 'Access-Control-Request-Method': 'PATCH' },
});

function patch() {
  const key = name();
  return {
    method: 'PATCH',
    path: `/notes/${key}`,
    headers: { Origin: origin, 'Content-Type': 'application/json-patch+json' },
    body: JSON.stringify([{ op: 'add', path: '/title', value: `title of ${key}` }]),
  };
}
