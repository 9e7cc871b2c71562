import type { ServerResponse } from 'node:http';
import { passError } from '../../lib/http/pass-error';
import { serving } from '../support/serving';

test.each([
  { what: 'nothing is sent yet: 500', begin: () => undefined, answered: { status: 500, text: '' } },
  {
    what: 'a part of the answer is sent: the connection is cut',
    begin: (res: ServerResponse) => res.writeHead(200, { 'Content-Length': 5 }).write('half'),
    answered: { status: 200, text: 'TypeError: terminated' },
  },
])('next itself throws, and $what', async ({ begin, answered }) => {
  const warned = jest.spyOn(process, 'emitWarning').mockImplementation();
  const next = () => {
    throw new Error('of an error handler');
  };
  await serving(
    (_req, res) => {
      begin(res);
      setImmediate(() => {
        passError(new Error('of a callback'), res, next);
      });
    },
    async (_server, port) => {
      const answer = await fetch(`http://127.0.0.1:${port}/`);
      const text = await answer.text().catch((error: unknown) => String(error));
      expect({ status: answer.status, text }).toEqual(answered);
    },
  );
  expect(warned.mock.calls).toEqual([[expect.stringContaining('next() threw'), expect.anything()]]);
  warned.mockRestore();
});
