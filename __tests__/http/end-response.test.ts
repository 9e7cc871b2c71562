import type { ServerResponse } from 'node:http';
import onHeaders from 'on-headers';
import { endResponse } from '../../lib/http/end-response';
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
  test.each<[string, (res: ServerResponse) => void, Record<string, string>]>([
    ['nobody has set any', () => undefined, alone],
    [
      'others have set others: they stay',
      (res) => res.setHeader('X-Powered-By', 'host'),
      { ...alone, 'x-powered-by': 'host' },
    ],
    ['others have set the same: ours count', (res) => res.setHeader('Allow', 'PURGE'), alone],
    [
      'others have set Vary: joined',
      (res) => res.setHeader('Vary', 'Accept'),
      { ...alone, vary: 'Accept, Origin' },
    ],
    [
      'the same name is in Vary: once',
      (res) => res.setHeader('Vary', 'origin'),
      { ...alone, vary: 'origin' },
    ],
    ['Vary is *: it stays', (res) => res.setHeader('Vary', '*'), { ...alone, vary: '*' }],
    [
      'others set theirs when the head is written: they see ours',
      (res) => {
        onHeaders(res, () => {
          res.setHeader('X-Seen', String(res.getHeader('Allow')));
        });
      },
      { ...alone, 'x-seen': 'GET' },
    ],
  ])('%s', async (_title, before, expected) => {
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
    ['alone', () => undefined],
    ['beside the fields of others', (res: ServerResponse) => res.setHeader('X-Other', '1')],
  ])('content goes with it, %s', async (_title, before) => {
    const answer = await answerOf((res) => {
      before(res);
      endResponse(res, 200, ['Content-Length', '2'], '{}');
    });
    expect(answer).toMatchObject({ status: 200, content: '{}' });
  });
});
