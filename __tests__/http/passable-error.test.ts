import { assertSendable, toPassableError } from '../../lib/http/pass-error';

describe('what was thrown, as Express can be given it', () => {
  test.each<{ title: string; thrown: unknown }>([
    { title: 'an error', thrown: new Error('no') },
    { title: 'a text', thrown: 'no' },
    { title: 'a number', thrown: 404 },
    { title: 'an object without a stack', thrown: { status: 404 } },
    { title: 'without toString, but with a stack', thrown: { stack: 'at', toString: undefined } },
    { title: 'with headers that can be sent', thrown: { status: 404, headers: { 'X-Why': 'no' } } },
    { title: 'with headers that cannot, and are not', thrown: { headers: { 'X Why': 'no' } } },
  ])('$title goes on as it is', ({ thrown }) => {
    expect(toPassableError(thrown)).toBe(thrown);
  });

  const hostile = {
    get stack() {
      throw new Error('read');
    },
  };
  test.each<{ title: string; thrown: unknown; said: string }>([
    { title: 'undefined, which is no error', thrown: undefined, said: 'undefined' },
    { title: 'nor is the empty text', thrown: '', said: "''" },
    { title: 'nor 0', thrown: 0, said: '0' },
    { title: 'route, which skips handlers', thrown: 'route', said: "'route'" },
    { title: 'router, which skips routers', thrown: 'router', said: "'router'" },
    { title: 'without toString', thrown: Object.create(null), said: 'an object' },
    { title: 'with a stack that throws', thrown: hostile, said: 'an object' },
    ...['status', 'statusCode'].map((name) => ({
      title: `an error with ${name}, and a header that cannot be sent`,
      thrown: Object.assign(new Error('no'), { [name]: 404, headers: { 'X Why': 'a' } }),
      said: 'an Error',
    })),
  ])('$title: an error says what it was', ({ thrown, said }) => {
    const { message, cause } = toPassableError(thrown) as Error;
    expect(message).toBe(`Your app threw ${said}, which cannot be passed to next(). Throw an Error.`);
    // Logs show the cause, whatever is in it.
    expect(cause).toBe(thrown instanceof Error ? thrown : undefined);
  });

  test.each([
    { name: 'Trailer', sendable: false },
    { name: 'transfer-encoding', sendable: false },
    { name: 'X-Trailer', sendable: true },
    { name: 'Trailers', sendable: true },
    { name: 'X Why', sendable: false },
  ])('the header $name: $sendable', ({ name, sendable }) => {
    const assert = expect(() => {
      assertSendable({ [name]: 'a' });
    });
    if (sendable) assert.not.toThrow();
    else assert.toThrow();
  });
});
