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

/** What is said otherwise while Object.prototype has these names. */
interface Difference {
  readonly names: readonly string[];
  readonly what: string;
  readonly where: string;
  readonly answer: string | undefined;
  readonly plain?: string | undefined;
}

/** Names that are given at once. `origin` is alone, because what it changes in Node counts for nothing. */
function groupsOf(size: number): readonly (readonly string[])[] {
  const others = names.filter((name) => name !== 'origin');
  const groups = Array.from({ length: Math.ceil(others.length / size) }, (_, i) =>
    others.slice(i * size, (i + 1) * size),
  );
  return [['origin'], ...groups];
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
  const differencesIn = (
    given: readonly string[],
    what: string,
    found: Map<string, string>,
  ): Difference[] => {
    // Node joins what stands in the field with what it finds there already, as it does with a field that comes twice.
    const isNodes = (where: string): boolean => given.includes('origin') && sentWithOrigin.has(where);
    return [
      ...[...found]
        .filter(([where, answer]) => answer !== plain.get(where) && !isNodes(where))
        .map(([where, answer]) => ({ names: given, what, where, answer, plain: plain.get(where) })),
      ...lost.splice(0).map((answer) => ({ names: given, what, where: 'the process', answer })),
    ];
  };
  const differencesWith = async (
    given: readonly string[],
    { what, value }: (typeof values)[number],
  ): Promise<Difference[]> => {
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
    return differencesIn(given, what, found);
  };
  const differences = differencesIn(['nothing'], '', again);
  for (const value of values.slice(0, Number(tried))) {
    for (const group of groupsOf(which === 'all' ? 1 : 16)) {
      const together = await differencesWith(group, value);
      // Which of them it is; all of them, if none does it alone.
      const alone: Difference[] = [];
      if (together.length > 0 && group.length > 1)
        for (const name of group) alone.push(...(await differencesWith([name], value)));
      differences.push(...(alone.length > 0 ? alone : together));
    }
  }
  process.stdout.write(JSON.stringify({ asked: plain.size, differences }), () => process.exit());
}

void run();
