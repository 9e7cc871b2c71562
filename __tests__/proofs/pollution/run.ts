/** Gives Object.prototype each name and value, in a process of its own, and prints what is then said otherwise. */
import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { connect, type Socket } from 'node:net';
import { portOf } from '../../support/serving';
import { names, values } from './names';
import { makings, said, scenes as allScenes } from './scenes';

let listener: RequestListener;
const [which, tried] = process.argv.slice(2);
/** With one of the values, those that read the most of what an app gives. */
const scenes = which === 'all' ? allScenes : allScenes.filter(({ readsMuch }) => readsMuch);

process.on('uncaughtException', (error) => {
  lost.push(String(error));
});
process.on('unhandledRejection', (error) => {
  lost.push(String(error));
});
const lost: string[] = [];
/** The requests that have the field Origin. */
const sentWithOrigin = new Set<string>();

async function everything(socket: Socket): Promise<Map<string, string>> {
  const all = new Map<string, string>();
  for (const { making, make } of makings) all.set(making, await said(make));
  for (const { scene, listener: make, requests } of scenes) {
    try {
      listener = await make();
    } catch (error) {
      all.set(scene, String(error));
      continue;
    }
    for (const [i, request] of requests.entries()) {
      const line = request.slice(0, request.indexOf(' HTTP'));
      if (request.includes('Origin:')) sentWithOrigin.add(`${scene}, ${i}: ${line}`);
      const answer = await answerTo(request, socket);
      all.set(`${scene}, ${i}: ${line}`, answer);
      if (answer.startsWith('no answer')) return all;
    }
  }
  return all;
}

async function connected(server: Server): Promise<Socket> {
  const socket = connect(portOf(server), '127.0.0.1');
  await once(socket, 'connect');
  return socket;
}

/** Over a connection that was made before: to make one, Node reads options too. */
function answerTo(request: string, socket: Socket): Promise<string> {
  return new Promise((resolve) => {
    let answer = '';
    const end = (): void => {
      clearTimeout(timer);
      socket.off('data', take);
      resolve(answer.replace(/^Last-Modified: .*\n/gm, '').replace(/^(ETag|Date): .*$/gm, '$1: …'));
    };
    const take = (chunk: Buffer): void => {
      answer += chunk.toString();
      const head = answer.indexOf('\r\n\r\n');
      if (head === -1) return;
      const length = Number(/^content-length: (\d+)/im.exec(answer.slice(0, head))?.[1] ?? 0);
      // RFC 9110 9.3.2: an answer to HEAD tells the length of what it leaves out.
      if (request.startsWith('HEAD ') || answer.length >= head + 4 + length) end();
    };
    const timer = setTimeout(() => {
      answer = `no answer: ${answer}`;
      end();
    }, 60_000);
    socket.on('data', take);
    socket.write(request);
  });
}

/** Names that are given at once: only if anything is said otherwise then, each of them is given alone. */
function groupsOf(size: number): readonly (readonly string[])[] {
  return Array.from({ length: Math.ceil(names.length / size) }, (_, i) =>
    names.slice(i * size, (i + 1) * size),
  );
}

async function run(): Promise<void> {
  const server = createServer((req, res) => {
    res.sendDate = false;
    listener(req, res);
  });
  server.keepAliveTimeout = 0;
  await once(server.listen(0, '127.0.0.1'), 'listening');
  const plain = await everything(await connected(server));
  const again = await everything(await connected(server));
  const differences: object[] = [];
  const compare = (name: string, what: string, found: Map<string, string>): void => {
    for (const [where, answer] of found) {
      // Node joins what stands in the field with what it finds there already, as it does with a field that comes twice.
      if (name === 'origin' && sentWithOrigin.has(where)) continue;
      if (answer !== plain.get(where))
        differences.push({ name, what, where, answer, plain: plain.get(where) });
    }
    for (const error of lost.splice(0)) differences.push({ name, what, where: 'the process', answer: error });
  };
  const saidWith = async (given: readonly string[], value: unknown): Promise<Map<string, string>> => {
    const socket = await connected(server);
    for (const name of given)
      Object.defineProperty(Object.prototype, name, {
        value,
        configurable: true,
        writable: true,
        enumerable: false,
      });
    const found = await everything(socket);
    for (const name of given) Reflect.deleteProperty(Object.prototype, name);
    socket.destroy();
    return found;
  };
  compare('nothing', '', again);
  for (const { what, value } of values.slice(0, Number(tried))) {
    for (const group of groupsOf(which === 'all' ? 1 : 16)) {
      const found = await saidWith(group, value);
      const isSame = lost.length === 0 && [...found].every(([where, answer]) => answer === plain.get(where));
      if (isSame) continue;
      for (const name of group)
        compare(name, what, group.length === 1 ? found : await saidWith([name], value));
    }
  }
  process.stdout.write(JSON.stringify({ asked: plain.size, differences }), () => process.exit());
}

void run();
