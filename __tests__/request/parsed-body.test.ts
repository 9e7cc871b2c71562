import { IncomingMessage } from 'node:http';
import { Socket } from 'node:net';

/** What the process is warned of where a body parser of the app's has left these bodies, one request each. */
async function warningsOf(bodies: readonly unknown[]): Promise<unknown[][]> {
  const warn = jest.spyOn(process, 'emitWarning').mockImplementation();
  // A fresh copy: what is told once is told once per process.
  await jest.isolateModulesAsync(async () => {
    const { createContentReader } = await import('../../lib/request/content');
    const readContent = createContentReader({ bytes: 1_000, depth: 10 });
    for (const body of bodies) {
      const req = Object.assign(new IncomingMessage(new Socket()), { body });
      Object.defineProperty(req, 'readableDidRead', { value: true });
      await readContent(req);
    }
  });
  const { calls } = warn.mock;
  warn.mockRestore();
  return calls;
}

const told = [
  expect.stringMatching(
    /already parsed.*Duplicate member names.*Mount.*before the body parser, or narrow.*type/,
  ),
  { code: 'PATCH_OPTIONS_BODY_PARSED' },
];

describe('A body that was parsed before is told of in a process warning, once', () => {
  test.each<{ readonly title: string; readonly bodies: unknown[]; readonly warnings: unknown[] }>([
    { title: 'an object', bodies: [{ a: 1 }], warnings: [told] },
    { title: 'an array', bodies: [[{ op: 'remove', path: '/a' }]], warnings: [told] },
    { title: 'an empty object', bodies: [{}], warnings: [told] },
    { title: 'null', bodies: [null], warnings: [told] },
    { title: 'three of them', bodies: [{ a: 1 }, [], { b: 2 }], warnings: [told] },
    { title: 'bytes, in which duplicate member names are seen', bodies: [Buffer.from('{}')], warnings: [] },
    { title: 'text, in which they are, too', bodies: ['{}'], warnings: [] },
  ])('$title', async ({ bodies, warnings }) => {
    expect(await warningsOf(bodies)).toEqual(warnings);
  });
});
