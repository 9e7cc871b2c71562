/**
 * Everything that the library says to people, in one snapshot, to be read as prose. `npx jest __tests__/messages -u`
 * writes down what is said now.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import ts from 'typescript';
import {
  checkPreconditions,
  ConfigurationError,
  MemoryStore,
  methodNotAllowed,
  optionsHandler,
  optionsListener,
  type ResourceStore,
} from '../../lib';
import { SqliteStore } from '../../lib/stores/sqlite';
import { keyReused, requestInFlight } from '../../lib/patch/refusals';
import { outcomesFull } from '../../lib/stores/contract/outcome-store';
import { answerTo, type PatchRow, storedAtFirst } from '../support/patch-table';
import { clientSaid } from './client';
import { explanations } from './explanations';
import { faults } from './faults';
import { mistakes } from './mistakes';
import { refusals } from './refusals';
import { mistakesInMongoose, mongooseSaid } from './mongoose';
import { mistakesInRows, rowsSaid } from './rows';
import { DatabaseSync } from '../support/sqlite';

const lib = join(__dirname, '../../lib');
let said: string;

beforeAll(async () => {
  const parts = {
    'Thrown at start': await Promise.all(
      [...mistakes, ...mistakesInRows, ...mistakesInMongoose].map(mistakeOf),
    ),
    'Answered to a PATCH, PUT or DELETE': await patchAnswers(),
    'Answered to other methods': await otherAnswers(),
    'Said by explainCors(), and by onRefused of corsPreflight()': await explanations(),
    "Passed to your app's error handler, thrown by a store, and emitted as warnings": await faults(),
    'Thrown by the client': await clientSaid(),
    'Said of rows, to clients and to whoever has declared them': await rowsSaid(),
    'Said of documents of Mongoose': await mongooseSaid(),
  };
  const all = Object.entries(parts).map(([title, lines]) => `# ${title}\n\n${lines.join('\n')}\n`);
  said = withEachListOnce(all.join('\n'));
});

/** So that a new option is one more word. */
function withEachListOnce(text: string): string {
  const seen = new Set<string>();
  return text.replace(/(?<=The options are )[^.]+/g, (list) =>
    seen.size < seen.add(list).size ? list : '…',
  );
}

/** As it is: the snapshot is to be read. */
expect.addSnapshotSerializer({ test: (value) => typeof value === 'string', serialize: String });

test('all that is said', () => {
  expect(said).toMatchSnapshot();
});

async function mistakeOf(make: () => unknown): Promise<string> {
  try {
    await make();
  } catch (error) {
    if (error instanceof ConfigurationError) return `${withLineForEach(error)}\n`;
    throw error;
  }
  throw new Error(`No mistake was found in ${String(make)}`);
}

/** The message, which must have a line for each mistake, with its code at the end. */
function withLineForEach({ message, mistakes: found }: ConfigurationError): string {
  const [, ...lines] = message.split('\n');
  const complete =
    lines.length === found.length && lines.every((line, i) => line.endsWith(` [${found[i]?.code}]`));
  if (!complete) throw new Error(`Not a line with a code for each mistake:\n${message}`);
  return message;
}

async function patchAnswers(): Promise<string[]> {
  const answers: string[] = [];
  for (const row of refusals) answers.push(await patchAnswer(row, new MemoryStore()));
  const sqlite = new SqliteStore(new DatabaseSync(':memory:'), { table: 'things' });
  await sqlite.setup();
  answers.push(await patchAnswer({ options: { limits: { result: 10 } } }, sqlite));
  const options = { stateMembers: ['/moved'] };
  const moved = Math.ceil(Date.now() / 1_000);
  for (const row of [
    { options, stored: { title: 'Milk', moved: 2 }, body: { title: 'x', moved: 1 } },
    { options: { ...options, create: true as const }, stored: null, body: { moved: 1 } },
    { options, stored: { moved }, body: { title: 'x', moved } },
  ])
    answers.push(await patchAnswer(row, Object.assign(new MemoryStore(), { readOnly: ['/moved'] })));
  // Somebody else always comes first.
  const memory = new MemoryStore();
  const lost = jest.spyOn(memory, 'replace').mockResolvedValue(undefined);
  lost.mockImplementationOnce((...written) => new MemoryStore().replace(...written));
  let version = 1;
  jest
    .spyOn(memory, 'get')
    .mockImplementation(() => Promise.resolve({ value: {}, version: String(version++) }));
  answers.push(await patchAnswer({}, memory));
  const ofKeys = [keyReused(), requestInFlight(), outcomesFull(60)];
  return [...answers, ...ofKeys.map(({ problem }) => problemLine(problem))];
}

async function patchAnswer(given: Omit<PatchRow, 'status'>, store: ResourceStore): Promise<string> {
  const row = { ...given, status: 0 };
  const before = await storedAtFirst(store, row);
  const { body, status } = await answerTo(row, store, before, express);
  if (status < 400) throw new Error(`Not refused: ${JSON.stringify(row)}`);
  return problemLine(body);
}

function problemLine({ status, code, detail, ...members }: Record<string, unknown>): string {
  const more = Object.entries(members).filter(([name]) => name !== 'title');
  const shown = more.length === 0 ? '' : ` ${JSON.stringify(Object.fromEntries(more))}`;
  return `${String(status)} ${String(code)}: ${String(detail)}${shown}`;
}

/** Express calls it for errors alone, and so the route answers nothing. */
const onlyErrors: ErrorRequestHandler = (error, _req, _res, next) => {
  next(error);
};

async function otherAnswers(): Promise<string[]> {
  const app = express();
  app.use(optionsHandler());
  app.get('/notes/:id', () => undefined);
  app.get('/broken', onlyErrors);
  app.use(methodNotAllowed());
  const failing = express();
  failing.get('/', () => undefined);
  const listener = optionsListener(failing, {
    body: () => {
      throw new Error('out of order');
    },
  });
  const warning = jest.spyOn(process, 'emitWarning').mockImplementation();
  const answers = [
    await supertest(app).delete('/notes/1'),
    await supertest(app).options('/broken'),
    await supertest(createServer(listener)).options('/'),
  ];
  warning.mockRestore();
  const unchanged = checkPreconditions(
    Object.assign(Object.create(null), { method: 'GET', headers: { 'if-none-match': '*' } }),
    { version: '1' },
  );
  const now = checkPreconditions(
    Object.assign(Object.create(null), {
      method: 'PUT',
      headers: { 'if-unmodified-since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
    }),
    { version: '1', modified: new Date('2100-01-01T00:00:00.500Z') },
  );
  const byHand = [unchanged, now].map((answer) => problemLine({ ...answer?.problem }));
  return [...answers.map(({ body }) => problemLine(body)), ...byHand];
}

test('every code of a mistake is said', () => {
  const source = readFileSync(join(lib, 'config/mistake-code.ts'), 'utf8');
  const codes = [...source.matchAll(/^ {2}\| '([a-z-]+)';?$/gm)].map(([, code]) => code);
  expect(codes.length).toBeGreaterThan(0);
  expect(codes.filter((code) => !said.includes(`[${code}]`))).toEqual([]);
});

describe('every phrase of the source', () => {
  /** Said to the engine, to programs or to whoever debugs; or never, as it is caught or overwritten. */
  const unsaid = [
    /%[sdO]|\bpreflight for $/,
    /^no parser reads application\/json\. If your clients send the members to change, use mergePatch/,
    /\b(?:SELECT|INSERT|UPDATE|DELETE FROM|CREATE|WHERE|VALUES|SET|AS|WITH|JOIN|BEGIN|SAVEPOINT|RELEASE|AND|ON CONFLICT|ORDER BY|NOT NULL|DROP TRIGGER|OR NEW|INTERVAL|TIMESTAMPDIFF)\b|\|\| '/,
    /redis\.call|strftime|extract\(| is null$|\bIS (?:NULL|OLD)\b|gen_random_uuid|FOR EACH ROW|WHEN NEW/,
    /^application\/json; charset=utf-8$|^(?:(?:patch|query)Handler accepts|declareMethods answers|patchOptions passes OPTIONS on)$/,
    /^run returned a value that cannot be written as JSON\. Return a JSON value, or null\.$/,
    /^(?:character varying|double precision|national (?:var)?char|timestamp with(?:out)? time zone|time without time zone)$/i,
    /^(?: with time zone| of numbers)$/, // types in a message
    /^[a-z0-9 ]+(?:\|[a-z0-9 ]*)+$/, // types of SQL
    /^(?:timestamp without time zone|read committed|for update|(?:for )?no key update)$/i,
    /^database is locked$|^the probe has seen the app$|^differs by case$|^A column contains $/,
    /^The (?:request was carried out before|(?:time of the write|value) is not known before the write)\.$|^A store asks for the outcome/,
    /^The client disconnected\.$|^The request was answered by another middleware\.$/,
    /^\[object \w+\]$/,
    /^(?:Content Too Large|Unprocessable Content)$/,
    /^\(run\) => .*\brun\(/, // as that of prismaRows
    /^\(no answer( in time)?\)$|^Mozilla\/|^gzip, deflate, br, zstd$/, // in the requests of explainCors()
    /^\/(?:\^.*|.*\$)\/$/, // the pattern of another program's message
  ];

  test('is in it', () => {
    const files = readdirSync(lib, { recursive: true, encoding: 'utf8' });
    const missing = files
      .filter((file) => file.endsWith('.ts') && !file.startsWith('testing'))
      .flatMap((file) => {
        const text = readFileSync(join(lib, file), 'utf8');
        const phrases = phrasesOf(ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true));
        return phrases.map((phrase) => ({ file, phrase }));
      })
      .filter(({ phrase }) => !said.includes(phrase) && !unsaid.some((pattern) => pattern.test(phrase)));
    expect(missing).toEqual([]);
  });
});

/** Strings of two words at least, and the parts of templates that have so many. */
function phrasesOf(node: ts.Node): string[] {
  if (ts.isTypeNode(node) || ts.isImportDeclaration(node)) return [];
  const text =
    ts.isLiteralExpression(node) || ts.isTemplateMiddleOrTemplateTail(node) || ts.isTemplateHead(node)
      ? node.text
      : '';
  const inside: string[] = [];
  node.forEachChild((child) => void inside.push(...phrasesOf(child)));
  return /[a-z]{2},? [a-z(]/i.test(text) ? [text, ...inside] : inside;
}
