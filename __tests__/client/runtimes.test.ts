/** The client in processes and threads of its own; in pages and their workers it is tried by workers.browser.test.ts. */
import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import { serving } from '../support/serving';
import { resultsUnder, scenarioModule } from './describe-scenarios';
import { faultyApp } from './faulty-app';
import { expected } from './runtime-scenarios';

test('Node', async () => {
  expect(await resultsUnder(process.execPath, [])).toEqual(expected);
});

test('a worker thread of Node', async () => {
  const threads = "process.getBuiltinModule('node:worker_threads')";
  const module = await scenarioModule(
    `${threads}.workerData`,
    `(results) => ${threads}.parentPort.postMessage(results)`,
  );
  await serving(faultyApp(), async (_server, port) => {
    const url = new URL(`data:text/javascript,${encodeURIComponent(module)}`);
    const worker = new Worker(url, { workerData: `http://127.0.0.1:${port}` });
    const [[results], [code]] = await Promise.all([once(worker, 'message'), once(worker, 'exit')]);
    expect(JSON.parse(results as string)).toEqual(expected);
    expect(code).toBe(0);
  });
});
