import { checkPreconditions, entityTag, type PreconditionOptions } from '../../lib';

const stored = { version: '1' };
/** As the package etag makes them for Express. */
const ofExpress = 'W/"1a2-vyGp6PvFo4RvsFtPoIWeCReyIC8"';

function refusalOf(ifMatch: string, options: PreconditionOptions<typeof stored> = {}): string | undefined {
  const req = { method: 'PATCH', headers: { 'if-match': ifMatch } };
  return checkPreconditions(req as never, stored, options)?.message;
}

const current = entityTag(stored);
const appended = (suffix: string): string => `${current.slice(0, -1)}${suffix}"`;

function warningsOf(act: () => unknown): unknown[] {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  act();
  const calls = [...warn.mock.calls];
  warn.mockRestore();
  return calls;
}

test.each<{ readonly title: string; readonly ifMatch: string }>([
  { title: 'the present tag', ifMatch: entityTag(stored) },
  { title: 'another strong tag', ifMatch: '"2-vyGp6PvFo4RvsFtPoIWeCReyIC8"' },
  { title: 'a weak tag that no body has', ifMatch: 'W/"1"' },
  { title: 'a weak tag beside a strong one', ifMatch: `${ofExpress}, "x"` },
  { title: '*', ifMatch: '*' },
  { title: 'an empty list', ifMatch: '' },
  { title: 'another tag with a coding', ifMatch: '"2-vyGp6PvFo4RvsFtPoIWeCReyIC8-gzip"' },
])('of $title the app is not warned', ({ ifMatch }) => {
  expect(warningsOf(() => refusalOf(ifMatch))).toEqual([]);
});

test('that the resource has changed is not said of a tag that could never match', () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  for (const weak of [ofExpress, 'W/"1"', 'W/"1", W/"2"'])
    expect(refusalOf(weak)).toBe(
      'If-Match failed: the entity tag is weak, but writes need a strong one. GET the resource, reapply the change, ' +
        'and send it with the ETag of this 412 response. If GET sends only weak tags, answer it in the app with ' +
        'resource().get, or set its ETag to entityTag(stored).',
    );
  warn.mockRestore();
  expect(refusalOf(`"1", ${ofExpress}`)).toMatch(/has changed since/);
});

test('the weak form of the present tag: it is enough to send the strong one', () => {
  expect(refusalOf(`W/${entityTag(stored)}`)).toBe(
    'If-Match failed: the entity tag is weak, but writes need the strong one. Send the ETag of this 412 response. ' +
      'If a proxy weakens the tags of GET, let it pass those answers on uncompressed.',
  );
});

test.each(['W/"mine"', 'W/"older"', '"mine"'])(
  'If-Match: %s where the option entityTag returns weak tags: no client can mend that',
  (ifMatch) => {
    const options = { entityTag: () => 'W/"mine"' };
    expect(refusalOf(ifMatch, options)).toBe(
      'If-Match failed: the entity tag is weak, but writes need a strong one, and the ETag of this response is weak ' +
        'too. In the app, return strong tags from the option entityTag.',
    );
    expect(refusalOf('"older"', options)).toMatch(/has changed since/);
  },
);

test('a tag as Express makes it warns the app, once', async () => {
  const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
  await jest.isolateModulesAsync(async () => {
    const library = await import('../../lib');
    const req = { method: 'PATCH', headers: { 'if-match': ofExpress } };
    for (let sent = 0; sent < 2; sent += 1) library.checkPreconditions(req as never, stored);
  });
  expect(warn.mock.calls).toEqual([
    [
      expect.stringContaining(`A client sent If-Match: ${ofExpress}, a weak tag such as Express generates`),
      { code: 'PATCH_OPTIONS_WEAK_TAG' },
    ],
  ]);
  warn.mockRestore();
});

describe('the current tag with the name of a coding appended, as Apache, Caddy and Jetty do', () => {
  test.each<{ readonly ifMatch: string; readonly coding: string }>([
    { ifMatch: appended('-gzip'), coding: '-gzip' },
    { ifMatch: appended('-br'), coding: '-br' },
    { ifMatch: appended('-zstd'), coding: '-zstd' },
    { ifMatch: appended('--gzip'), coding: '--gzip' },
    { ifMatch: `W/${appended('-gzip')}`, coding: '-gzip' },
    { ifMatch: `"2", ${appended('-gzip')}, ${ofExpress}`, coding: '-gzip' },
  ])('If-Match: $ifMatch: that is said, not that the resource has changed', ({ ifMatch, coding }) => {
    const directive = coding === '-br' ? 'BrotliAlterETag' : 'DeflateAlterETag';
    const detail =
      `If-Match failed: the entity tag is the current one with "${coding}" appended, as some proxies do to the tags ` +
      `of answers that they compress. Send it without the suffix. In Apache, set ${directive} NoChange.`;
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
      const req = { method, headers: { 'if-match': ifMatch } };
      expect(checkPreconditions(req as never, stored)).toMatchObject({
        status: 412,
        code: 'precondition-failed',
        message: detail,
        headers: { ETag: current },
      });
    }
    warn.mockRestore();
  });

  test.each([
    { what: 'what an app appends, such as a role', ifMatch: appended('-admin') },
    { what: 'a version that begins with the current one', ifMatch: appended('0') },
    { what: 'a coding within', ifMatch: appended('-gzip-2') },
    { what: 'a coding without a dash', ifMatch: appended('gzip') },
    { what: 'the tag of another state, with a coding', ifMatch: '"2-vyGp6PvFo4RvsFtPoIWeCReyIC8-gzip"' },
    { what: 'the current tag without its coding', ifMatch: '"x"', options: { entityTag: () => '"x-gzip"' } },
  ])('$what has changed', ({ ifMatch, options }) => {
    expect(refusalOf(ifMatch, options)).toMatch(/the resource has changed since it was read/);
  });

  test('both forms, as the client of this library sends them, match', () => {
    expect(refusalOf(`${appended('-gzip')}, ${current}`)).toBeUndefined();
  });

  test('a weak tag of the app, with a coding: the app is at fault, not the proxy', () => {
    const options = { entityTag: () => 'W/"mine"' };
    expect(refusalOf('W/"mine-gzip"', options)).toMatch(/return strong tags from the option entityTag/);
  });

  test('the app is warned of the first one', async () => {
    const warn = jest.spyOn(process, 'emitWarning').mockReturnValue();
    await jest.isolateModulesAsync(async () => {
      const library = await import('../../lib');
      for (const suffix of ['-gzip', '-br']) {
        const req = { method: 'PATCH', headers: { 'if-match': appended(suffix) } };
        library.checkPreconditions(req as never, stored);
      }
    });
    expect(warn.mock.calls).toEqual([
      [
        expect.stringContaining(
          `A client sent If-Match: ${appended('-gzip')}, which is the current entity tag with "-gzip" appended.`,
        ),
        { code: 'PATCH_OPTIONS_TAG_SUFFIX' },
      ],
    ]);
    warn.mockRestore();
  });
});
