import { IncomingMessage, ServerResponse } from 'node:http';
import { Socket } from 'node:net';
import onHeaders from 'on-headers';
import { addNames, endResponse } from '../../lib/http/response-head';
import { fc } from '../support/properties';
import { serving } from '../support/serving';

/** The answer that a client gets, but for what Node adds to every one. */
async function answerOf(answer: (res: ServerResponse) => void): Promise<Record<string, unknown>> {
  return serving(
    (_req, res) => {
      res.sendDate = false;
      answer(res);
    },
    async (_server, port) => {
      const response = await fetch(`http://127.0.0.1:${port}/`, { method: 'OPTIONS' });
      const fields = new Headers(response.headers);
      for (const name of ['connection', 'keep-alive']) fields.delete(name);
      return { status: response.status, fields: Object.fromEntries(fields), content: await response.text() };
    },
  );
}

const fields = ['Allow', 'GET', 'Vary', 'Origin', 'Content-Length', '0'];
const alone = { allow: 'GET', vary: 'Origin', 'content-length': '0' };

describe('a response that is ended with a status and fields', () => {
  test.each<{
    readonly title: string;
    readonly before: (res: ServerResponse) => void;
    readonly expected: Record<string, string>;
  }>([
    { title: 'nobody has set any', before: () => undefined, expected: alone },
    {
      title: 'others have set others: they stay',
      before: (res) => res.setHeader('X-Powered-By', 'host'),
      expected: { ...alone, 'x-powered-by': 'host' },
    },
    {
      title: 'others have set the same: ours count',
      before: (res) => res.setHeader('Allow', 'PURGE'),
      expected: alone,
    },
    {
      title: 'others have set Vary: joined',
      before: (res) => res.setHeader('Vary', 'Accept'),
      expected: { ...alone, vary: 'Accept, Origin' },
    },
    {
      title: 'the same name is in Vary: once',
      before: (res) => res.setHeader('Vary', 'origin'),
      expected: { ...alone, vary: 'origin' },
    },
    {
      title: 'Vary is *: it stays',
      before: (res) => res.setHeader('Vary', '*'),
      expected: { ...alone, vary: '*' },
    },
    {
      title: 'others set theirs when the head is written: they see ours',
      before: (res) => {
        onHeaders(res, () => {
          res.setHeader('X-Seen', String(res.getHeader('Allow')));
        });
      },
      expected: { ...alone, 'x-seen': 'GET' },
    },
    {
      title:
        'others take the fields of writeHead only as an object, or as pairs, as on-headers before 1.1 does',
      before: (res) => {
        const writeHead = res.writeHead.bind(res);
        res.writeHead = (status: number, ...given: unknown[]) => {
          const [list] = given;
          const pairs = Array.isArray(list) ? (list as string[][]) : Object.entries(Object(list) as object);
          for (const [name = '', value = ''] of pairs) res.setHeader(name, value as string);
          return writeHead(status);
        };
      },
      expected: alone,
    },
  ])('$title', async ({ before, expected }) => {
    const answer = await answerOf((res) => {
      before(res);
      endResponse(res, 299, fields);
    });
    expect(answer).toEqual({ status: 299, fields: expected, content: '' });
  });

  test('the list of fields is left as it is, for the next response', async () => {
    const before = [...fields];
    await answerOf((res) => {
      endResponse(res, 200, fields);
    });
    expect(fields).toEqual(before);
  });

  test.each([
    { title: 'alone', before: () => undefined },
    { title: 'beside the fields of others', before: (res: ServerResponse) => res.setHeader('X-Other', '1') },
  ])('content goes with it, $title', async ({ before }) => {
    const answer = await answerOf((res) => {
      before(res);
      endResponse(res, 200, ['Content-Length', '2'], '{}');
    });
    expect(answer).toMatchObject({ status: 200, content: '{}' });
  });
});

describe('names that are added to a header, whoever sets them, however often and in whatever order', () => {
  const token = fc.stringMatching(/^[!#$%&'+\-.^_`|~0-9A-Za-z]{1,4}$/);
  const list = fc.array(fc.oneof(token, fc.constantFrom('', ' ', 'ETag', 'etag')), { maxLength: 6 });
  /** One line or several, joined by commas with or without spaces. */
  const lines = fc.oneof(
    fc.tuple(list, fc.constantFrom(',', ', ', ' ,\t')).map(([names, comma]) => names.join(comma)),
    fc.array(
      list.map((names) => names.join(', ')),
      { minLength: 1, maxLength: 3 },
    ),
  );
  const write = (name: string, value: string | string[], ours: readonly string[]): string[] => {
    const res = new ServerResponse(new IncomingMessage(new Socket()));
    res.setHeader(name, value);
    for (const names of ours) addNames(res, name, names);
    return String(res.getHeader(name)).split(', ');
  };
  const header = fc.constantFrom('Vary', 'Access-Control-Expose-Headers');
  const ours = fc.array(
    fc.array(token, { minLength: 1, maxLength: 4 }).map((names) => names.join(', ')),
    {
      minLength: 1,
      maxLength: 3,
    },
  );
  const read = (value: readonly string[]): string[] =>
    value.flatMap((line) => line.split(',').map((name) => name.trim())).filter((name) => name !== '');

  test('each of them is there once, and no other', () => {
    fc.assert(
      fc.property(header, lines, ours, (name, value, added) => {
        const sent = write(name, value, added);
        const wanted = read([value, ...added].flat());
        const lower = (names: readonly string[]): string[] => names.map((each) => each.toLowerCase());
        expect(lower(sent)).toEqual([...new Set(lower(wanted))]);
        for (const each of sent) expect(wanted).toContain(each);
      }),
    );
  });
});
