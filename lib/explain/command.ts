import type { WriteStream } from 'node:tty';
import { parseArgs, types } from 'node:util';
import { printable } from '../config/printable';
import { hideSecrets } from '../cors/messages';
import { explainCors, type Explanation } from './index';
import type { CorsQuestion } from './question';

/** The output of the command: a stream of the process, or an object that collects the text. */
export type Output = Pick<WriteStream, 'write'> & Partial<Pick<WriteStream, 'isTTY' | 'hasColors'>>;

const usage = `Usage: npx patch-options explain <url> [options]

Asks the server as a browser would, and says whether a page can send the request and read the response.
Without --send, only the preflight is sent for other methods than GET and HEAD.

  --origin <origin>   the origin of the page (default: https://app.example)
  --method <method>   the method of the request (default: GET)
  --header <header>   a header that the page sends, 'x-tenant' or 'x-tenant: 7'; can be repeated
  --credentials       the page sends cookies
  --send              sends other methods than GET and HEAD, too
  --timeout <ms>      how long all answers together may take (default: 10000)
  --json              prints JSON
  --help              prints this

Exit status: 0 the browser allows it, 1 the browser refuses it, 2 a redirect, no answer, or a wrong argument.
`;

const options = {
  origin: { type: 'string', default: 'https://app.example' },
  method: { type: 'string', default: 'GET' },
  header: { type: 'string', multiple: true },
  credentials: { type: 'boolean', default: false },
  send: { type: 'boolean', default: false },
  timeout: { type: 'string' },
  json: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
} as const;

/**
 * `npx patch-options explain`: `explainCors` for a terminal.
 *
 * @param args - without the names of Node and of the script
 * @returns the exit status
 */
export async function runCommand(args: readonly string[], out: Output, errors: Output): Promise<0 | 1 | 2> {
  const refuse = (...lines: readonly string[]): 2 => {
    errors.write(`${lines.map(printable).join('\n')}\n`);
    return 2;
  };
  let parsed: ReturnType<typeof parse>;
  try {
    parsed = parse(args);
  } catch (error) {
    return refuse(readMessage(error), 'npx patch-options explain --help names the options.');
  }
  const { values, positionals } = parsed;
  const { origin, method, header = [], credentials, send, timeout, json, help } = values;
  const [command, address, ...others] = positionals;
  if (help) {
    out.write(usage);
    return 0;
  }
  if (command !== 'explain' || address === undefined || others.length > 0) {
    errors.write(usage);
    return 2;
  }
  const url = readUrl(address);
  if (url === undefined) {
    return refuse(
      `${hideSecrets(address)} is not an http: or https: URL without a user name. ` +
        "Write it with its scheme, such as 'http://localhost:3000/notes/1'.",
    );
  }
  const withValue = header.filter((field) => field.includes(':'));
  if (withValue.length > 0 && withValue.length < header.length) {
    return refuse('Some headers have a value, and some have none. Write all of them with a value, or none.');
  }
  const question: CorsQuestion = {
    ...{ origin, method, credentials, send },
    path: url.pathname + url.search,
    headers: withValue.length === 0 ? header : readFields(withValue),
    ...(timeout === undefined ? {} : { timeout: Number(timeout) }),
  };
  let explanation: Explanation;
  try {
    explanation = await explainCors(url.origin, question);
  } catch (error) {
    return refuse(...readMessage(error).split('\n'));
  }
  const { status, said, colour } = judge(explanation);
  const isColoured = out.isTTY === true && out.hasColors?.() === true;
  const verdict = isColoured ? `\u001b[${colour}m${said}\u001b[39m` : said;
  const heading = `${method} ${hideSecrets(url.href)} from a page of ${origin}`;
  out.write(json ? toJson(explanation) : toText(explanation, heading, verdict));
  return status;
}

function parse(args: readonly string[]) {
  return parseArgs({ args: [...args], options, allowPositionals: true });
}

function readUrl(text: string): URL | undefined {
  try {
    const url = new URL(text);
    return /^https?:$/.test(url.protocol) && url.username + url.password === '' ? url : undefined;
  } catch {
    return undefined;
  }
}

/** Several headers with one name become one, as in fetch(). */
function readFields(lines: readonly string[]): Readonly<Record<string, string>> {
  const fields = new Map<string, string>();
  for (const line of lines) {
    const end = line.indexOf(':');
    const [name, value] = [line.slice(0, end).trim(), line.slice(end + 1).trim()];
    const before = fields.get(name);
    fields.set(name, before === undefined ? value : `${before}, ${value}`);
  }
  return Object.fromEntries(fields);
}

function readMessage(error: unknown): string {
  return types.isNativeError(error) ? error.message : String(error);
}

interface Verdict {
  readonly status: 0 | 1 | 2;
  readonly said: string;
  /** Select Graphic Rendition: green, red or yellow. */
  readonly colour: 32 | 31 | 33;
}

function judge({ allowed, code }: Explanation): Verdict {
  if (allowed === undefined) return { status: 2, said: 'not decided', colour: 33 };
  if (allowed) return { status: 0, said: 'allowed', colour: 32 };
  const isReached = code !== 'cors-no-response' && code !== 'cors-timed-out';
  return isReached
    ? { status: 1, said: 'refused', colour: 31 }
    : { status: 2, said: 'not reached', colour: 33 };
}

/**
 * The verdict, the cause, the step and the remarks, and then the requests and answers, marked as curl marks
 * them.
 */
function toText(
  { code, reason, step, notes, requests }: Explanation,
  heading: string,
  verdict: string,
): string {
  const lines = [
    printable(heading),
    `${verdict}: ${code}`,
    '',
    printable(reason),
    ...(step === undefined ? [] : [`Fetch standard, ${printable(step)}`]),
    ...notes.map((note) => `Note: ${printable(note)}`),
  ];
  for (const request of requests) {
    const [sent = '', came = ''] = request.split('\n\n');
    lines.push(
      '',
      ...sent.split('\n').map((line) => `> ${line}`),
      ...came.split('\n').map((line) => `< ${line}`),
    );
  }
  return `${lines.join('\n')}\n`;
}

function toJson({ error, ...explanation }: Explanation): string {
  const { allowed = null } = explanation;
  const shown = { ...explanation, allowed, ...(error === undefined ? {} : { error: readMessage(error) }) };
  const escape = (_name: string, value: unknown): unknown =>
    typeof value === 'string' ? value.split('\n').map(printable).join('\n') : value;
  return `${JSON.stringify(shown, escape, 2)}\n`;
}
