import { STATUS_CODES } from 'node:http';
import express, { type ErrorRequestHandler } from 'express';
import supertest from 'supertest';
import { MemoryStore, mergePatch, PatchError, ProblemError, resource } from '../../lib';
import { pointerMember } from '../../lib/http/pointer-member';
import { sendProblem } from '../../lib/http/send-problem';

/** JavaScript apps have no compiler to check types. */
const Problem = ProblemError as new (status: unknown, ...more: unknown[]) => ProblemError;

/** RFC 9110 15.5.21, where Node still has the old phrase. */
const phrases: Readonly<Record<number, string>> = {
  422: 'Unprocessable Content',
  499: 'Error',
  599: 'Error',
};

describe('the status of a ProblemError', () => {
  test.each([200, 204, 299, 303, 304, 400, 404, 422, 499, 500, 503, 599])('%s', (status) => {
    const error = new ProblemError(status, 'own', 'No.');
    expect(error.name).toBe('ProblemError');
    expect([error.status, error.problem.status]).toEqual([status, status]);
    expect(error.problem.title).toBe(phrases[status] ?? STATUS_CODES[status] ?? 'Error');
  });

  test.each([
    { status: NaN, shown: 'NaN' },
    { status: Infinity, shown: 'Infinity' },
    { status: -404, shown: '-404' },
    { status: 0, shown: '0' },
    { status: 99, shown: '99' },
    // RFC 9110 15.2: what follows one of these is the answer.
    ...[100, 101, 103, 199].map((status) => ({ status, shown: String(status) })),
    { status: 404.5, shown: '404.5' },
    { status: 600, shown: '600' },
    { status: 999, shown: '999' },
    { status: '404', shown: 'a string' },
    { status: 404n, shown: '404n' },
    { status: null, shown: 'null' },
    { status: undefined, shown: 'undefined' },
    { status: [404], shown: 'an array' },
  ])('$shown is an error', ({ status, shown }) => {
    expect(() => new Problem(status, 'own', 'No.')).toThrow(
      new TypeError(
        `The status of a ProblemError is ${shown}, which is not a whole number from 200 to 599. ` +
          'Pass the status of the answer, such as 422.',
      ),
    );
  });

  test('a PatchError with an unknown code is one, too', () => {
    const make = () => new (PatchError as new (code: string, detail: string) => PatchError)('own', 'No.');
    expect(make).toThrow('The status of a ProblemError is undefined');
  });
});

test('its cause is for your app’s log', () => {
  const cause = new Error('why');
  expect(new ProblemError(500, 'own', 'No.', { cause }).cause).toBe(cause);
});

test.each([
  { pointer: undefined, expected: {} },
  { pointer: '', expected: { pointer: '' } },
  { pointer: 'x'.repeat(1_000), expected: { pointer: 'x'.repeat(1_000) } },
  { pointer: 'x'.repeat(1_001), expected: {} },
])('the member pointer is left out where it is too long to be read: %#', ({ pointer, expected }) => {
  expect(pointerMember(pointer)).toEqual(expected);
});

describe('a problem that cannot be sent leaves the response as it was', () => {
  const of = (more: object) => () => new Problem(422, 'own', 'No.', more);
  const changed = (members: object) => () => Object.assign(new Problem(422, 'own', 'No.'), members);
  const ring: Record<string, unknown> = {};
  ring['ring'] = ring;
  test.each([
    { what: 'a status that was changed to NaN', make: changed({ status: NaN }), says: 'is NaN' },
    { what: 'a status that was changed to 101', make: changed({ status: 101 }), says: 'is 101' },
    {
      what: 'Trailer',
      make: of({ headers: { Vary: 'Accept', Trailer: 'Digest' } }),
      says: 'The header Trailer cannot be set',
    },
    {
      what: 'Transfer-Encoding',
      make: of({ headers: { 'transfer-encoding': 'chunked' } }),
      says: 'The header transfer-encoding cannot be set',
    },
    {
      what: 'a value with a line break after a valid one',
      make: of({ headers: { Vary: 'Accept', 'X-Why': 'a\nb' } }),
      says: 'Invalid character in header content',
    },
    { what: 'a name with a space', make: of({ headers: { 'X Why': 'a' } }), says: 'valid HTTP token' },
    { what: 'a BigInt', make: of({ extensions: { limit: 10n } }), says: 'BigInt' },
    { what: 'what holds itself', make: of({ extensions: ring }), says: 'circular' },
    {
      what: 'a toJSON that gives nothing',
      make: of({ extensions: { toJSON: () => undefined } }),
      says: '"string"',
    },
  ])('$what', async ({ make, says }) => {
    const told: ErrorRequestHandler = (error: Error, _req, res, next) => {
      if (res.headersSent) next(error);
      else
        res
          .setHeader('X-Before', `${res.statusCode} ${res.getHeader('Vary')?.toString()}`)
          .status(500)
          .send(error.message);
    };
    const app = express();
    app.get('/sent', (_req, res) => {
      sendProblem(res, make());
    });
    const may = () => {
      throw make();
    };
    app.get('/thrown', resource(new MemoryStore(), [mergePatch()], { key: () => '1', may }).get).use(told);
    for (const asked of [supertest(app).get('/sent'), supertest(app).get('/thrown')]) {
      const answer = await asked;
      expect([answer.status, answer.get('X-Before')]).toEqual([500, '200 undefined']);
      expect(answer.text).toContain(says);
    }
  });
});
