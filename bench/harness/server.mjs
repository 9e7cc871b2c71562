/**
 * A process with one server, for server-process.mjs to start: `node server.mjs <module> <maker> <options as JSON>`.
 * It ends with its parent.
 */
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { Session } from 'node:inspector/promises';
import { setTimeout } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

const [, , module, maker, options] = process.argv;
const makers = await import(`../servers/${module}.mjs`);
const server = await makers[maker](JSON.parse(options));
server.listen(0, '127.0.0.1');
await once(server, 'listening');

const session = new Session();
const commands = {
  /** Seconds of processor time that the process has used. */
  cpu() {
    const { user, system } = process.cpuUsage();
    return (user + system) / 1e6;
  },
  /** Bytes that are in use once nothing is left to collect. */
  async heap() {
    setFlagsFromString('--expose-gc');
    const collectGarbage = runInNewContext('gc');
    for (let i = 0; i < 3; i++) {
      collectGarbage();
      await setTimeout(50);
    }
    const { heapUsed, external } = process.memoryUsage();
    return heapUsed + external;
  },
  async startProfile() {
    session.connect();
    await session.post('Profiler.enable');
    await session.post('Profiler.setSamplingInterval', { interval: 200 });
    await session.post('Profiler.start');
  },
  async stopProfile(file) {
    const { profile } = await session.post('Profiler.stop');
    session.disconnect();
    writeFileSync(file, JSON.stringify(profile));
  },
};

process.on('disconnect', () => process.exit());
process.on('message', async ({ command, argument }) => {
  process.send({ result: await commands[command](argument) });
});
process.send({ result: server.address().port });
