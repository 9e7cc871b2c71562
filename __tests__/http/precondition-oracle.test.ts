import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import { checkPreconditions } from '../../lib/http/preconditions';
import { mergePatch } from '../../lib/patch/formats/merge-patch';
import { patchHandler } from '../../lib/patch/patch-handler';
import type { Stored } from '../../lib/stores/contract/resource-store';
import { times } from '../support/deep-scale';
import { patchInProcess } from '../support/patch-in-process';
import { fc } from '../support/properties';
import { evaluate, type Lines, type Representation, type Verdict } from './precondition-oracle';

interface Asked {
  readonly lines: Lines;
  readonly current: Representation | undefined;
}

/** What the library makes of a request. */
const subjects: Readonly<Record<string, (asked: Asked) => Verdict | Promise<Verdict>>> = {
  GET: (asked) => checked('GET', asked),
  HEAD: (asked) => checked('HEAD', asked),
  PUT: (asked) => checked('PUT', asked),
  DELETE: (asked) => checked('DELETE', asked),
  PATCH: patched,
};

const runs = times(250, 200_000);

describe('RFC 9110 13.2.2: what the library does is what the text says', () => {
  test.each(Object.entries(subjects))('%s', async (method, subject) => {
    const met = new Map<Verdict, number>();
    await fc.assert(
      fc.asyncProperty(asked, async (request) => {
        const expected = evaluate(method, request.lines, request.current, new Date());
        expect(await subject(request)).toBe(expected);
        met.set(expected, (met.get(expected) ?? 0) + 1);
      }),
      { numRuns: runs },
    );
    // Each way out is taken often: a comparison of nothing would agree, too.
    const retrieves = method === 'GET' || method === 'HEAD';
    for (const verdict of ['perform', 400, 412, ...(retrieves ? ([304] as const) : [])] as const) {
      expect([verdict, met.get(verdict)]).toEqual([verdict, expect.any(Number)]);
      expect(met.get(verdict)).toBeGreaterThan(runs / 40);
    }
  });

  test('PATCH of what is not there, and is not to be created, is 404 whatever it asks for, 13.2.1', async () => {
    await fc.assert(
      fc.asyncProperty(asked, async ({ lines }) => {
        const handler = patchHandler(storeOf(undefined), [mergePatch()]);
        expect((await patchInProcess(handler, '1', {}, headersOf(lines), rawHeadersOf(lines))).status).toBe(
          404,
        );
      }),
      { numRuns: times(50, 20_000) },
    );
  });
});

function checked(method: string, { lines, current }: Asked): Verdict {
  const req = new IncomingMessage(new Socket());
  Object.assign(req, { method, headers: headersOf(lines), rawHeaders: rawHeadersOf(lines) });
  const options = { entityTag: () => current?.tag ?? '' };
  return verdictOf(checkPreconditions(req, storedOf(current), options)?.status ?? 200);
}

async function patched({ lines, current }: Asked): Promise<Verdict> {
  const options = { create: true, entityTag: () => current?.tag ?? '""' } as const;
  const handler = patchHandler(storeOf(current), [mergePatch()], options);
  return verdictOf(
    (await patchInProcess(handler, '1', { a: 1 }, headersOf(lines), rawHeadersOf(lines))).status,
  );
}

function verdictOf(status: number): Verdict {
  if (status === 304 || status === 400 || status === 412) return status;
  if (status >= 200 && status <= 299) return 'perform';
  throw new Error(`Status ${status}`);
}

function storedOf(current: Representation | undefined): Stored<unknown> | undefined {
  const { modified } = current ?? {};
  return current && { value: {}, version: '1', ...(modified && { modified }) };
}

function storeOf(current: Representation | undefined) {
  return {
    get: () => Promise.resolve(storedOf(current)),
    replace: (_key: string, _expected: string | null, value: unknown) =>
      Promise.resolve({ value, version: '2' }),
  };
}

/** As Node makes them: of a field of one value the first line, else all lines joined. */
function headersOf(lines: Lines): Record<string, string> {
  const headers: Record<string, string> = {};
  for (const [name, value] of lines) {
    const before = headers[name];
    if (before === undefined) headers[name] = value;
    else if (!name.endsWith('-since')) headers[name] = `${before}, ${value}`;
  }
  return headers;
}

function rawHeadersOf(lines: Lines): string[] {
  return ['Host', 'x', ...lines.flatMap(([name, value]) => [name.replaceAll('i', 'I'), value])];
}

const own = '"now"';

/** Times that meet each other, ends of days, months and centuries, and a leap second between two of them. */
const moments = [
  '2026-11-21T10:00:00.900Z',
  '2026-11-21T10:00:01Z',
  '2016-12-31T23:59:59Z',
  '2017-01-01T00:00:00Z',
  '2024-02-29T12:00:00Z',
  '1994-11-06T08:49:37Z',
  '1999-12-31T23:59:59Z',
  '1970-01-01T00:00:00Z',
  '1926-03-01T00:00:00.001Z',
  '0099-01-01T00:00:00Z',
  '2094-11-06T08:49:37Z',
].map((text) => new Date(text));

const tagLine = fc.oneof(
  { arbitrary: fc.constantFrom(own, '*', 'W/"now"', '"x"'), weight: 4 },
  fc.constantFrom(
    '',
    ',',
    ' , ,',
    '*, "now"',
    '"now", *',
    'now',
    '"now',
    'w/"now"',
    '"now" "x"',
    '"a b"',
    '"n"w"',
  ),
  fc
    .array(
      fc.tuple(
        fc.constantFrom(own, 'W/"now"', '"x"', 'W/"x"', '""', '"a,b"', ''),
        fc.constantFrom(',', ', ', '\t,'),
      ),
    )
    .map((elements) => elements.flat().join('')),
);

/** An HTTP-date in one of its forms, mostly, and now and then something that is nearly one. */
const dateLine = fc
  .record({
    moment: fc.constantFrom(...moments),
    seconds: fc.constantFrom(0, 0, 0, -1, 1, 86_400, -86_400),
    form: fc.constantFrom(imfFixdate, rfc850Date, asctimeDate),
    spoil: fc.option(fc.constantFrom(...spoilt()), { freq: 3 }),
  })
  .map(({ moment, seconds, form, spoil }) => {
    const text = form(new Date(moment.getTime() + seconds * 1_000));
    return spoil === null ? text : spoil(text);
  });

function imfFixdate(date: Date): string {
  return date.toUTCString();
}

function rfc850Date(date: Date): string {
  const [, day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  const name = date.toLocaleDateString('en', { weekday: 'long', timeZone: 'UTC' });
  return `${name}, ${day}-${month}-${year.slice(-2)} ${time} GMT`;
}

function asctimeDate(date: Date): string {
  const [name = '', day = '', month = '', year = '', time = ''] = date.toUTCString().split(' ');
  return `${name.slice(0, 3)} ${month} ${day.replace(/^0/, ' ')} ${time} ${year}`;
}

function spoilt(): ((text: string) => string)[] {
  return [
    (text) => text.replace(/\d\d:/, '24:'),
    (text) => text.replace(/:\d\d:/, ':60:'),
    (text) => text.replace(/:\d\d(?!:)/, ':60'),
    (text) => text.replace(/:\d\d(?!:)/, ':61'),
    (text) => text.replace(/[ \d]\d(?=[ -](?:[A-Z]|\d\d:))/, '31'),
    (text) => text.replace(/[ \d]\d(?=[ -](?:[A-Z]|\d\d:))/, '00'),
    (text) => text.replace(/Nov|Dec|Jan|Mar/, 'Feb'),
    (text) => text.replace(/Nov|Dec|Jan|Feb|Mar/, 'Foo'),
    (text) => text.replace(/^\w{3}/, 'Abc'),
    (text) => text.replace(/^\w+day/, 'Tuesday').replace(/^\w{3}\b/, 'Tue'),
    (text) => text.toLowerCase(),
    (text) => text.replace(' ', '  '),
    (text) => text.replace('GMT', '+0000'),
    (text) => `${text}, ${text}`,
    (text) => `${text},`,
    () => '',
    () => '0',
    () => 'yesterday',
  ];
}

/** No line of the field, or one, or several. */
function linesOf(name: string, value: fc.Arbitrary<string>): fc.Arbitrary<Lines> {
  const line = value.map((text) => [name, text] as const);
  return fc.oneof(
    { arbitrary: fc.constant([]), weight: 4 },
    { arbitrary: fc.tuple(line), weight: 3 },
    fc.tuple(line, line),
  );
}

const asked: fc.Arbitrary<Asked> = fc.record({
  lines: fc
    .tuple(
      linesOf('if-match', tagLine),
      linesOf('if-none-match', tagLine),
      linesOf('if-unmodified-since', dateLine),
      linesOf('if-modified-since', dateLine),
    )
    .map((fields) => fields.flat()),
  current: fc.option(
    fc.record({
      tag: fc.constantFrom(own, own, own, 'W/"now"', '""'),
      modified: fc.constantFrom(undefined, ...moments),
    }),
    { nil: undefined, freq: 6 },
  ),
});
