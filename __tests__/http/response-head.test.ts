import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import { endResponse } from '../../lib/http/response-head';
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
