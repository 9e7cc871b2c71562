import { isStorableKey } from '../../../lib/stores/contract/key';
import { createTextState, toJsonText } from '../../../lib/stores/contract/serialize';

describe('Keys', () => {
  test.each<{ readonly what: string; readonly key: string; readonly expected: boolean }>([
    { what: 'letters', key: 'note-1', expected: true },
    { what: 'nothing', key: '', expected: true },
    { what: 'a character of two code units', key: '\u{1f600}', expected: true },
    { what: '1,024 bytes', key: 'é'.repeat(512), expected: true },
    { what: '1,025 bytes', key: `${'é'.repeat(512)}a`, expected: false },
    { what: 'a NUL', key: 'a\0b', expected: false },
    { what: 'half a character', key: '\ud83d', expected: false },
    { what: 'the halves of a character in the wrong order', key: '\ude00\ud83d', expected: false },
  ])('a key of $what is held: $expected', ({ key, expected }) => {
    expect(isStorableKey(key)).toBe(expected);
  });

  test('no key is held at a version that no store makes', () => {
    expect([
      isStorableKey('key', null),
      isStorableKey('key', 'v'),
      isStorableKey('key', 'v\0'),
      isStorableKey('key', '\ud83d'),
    ]).toEqual([true, true, false, false]);
  });
});

describe('JSON text', () => {
  test('the text holds no NUL and no lone surrogate, which engines would refuse or change', () => {
    expect(toJsonText({ '\0': '\ud800' })).toBe('{"\\u0000":"\\ud800"}');
  });

  test.each([
    { maxBytes: 4, outcome: 'written' },
    { maxBytes: 3, outcome: 'refused' },
  ])('a value of 4 bytes of UTF-8 under maxBytes $maxBytes is $outcome', ({ maxBytes, outcome }) => {
    const write = () => toJsonText('é', maxBytes);
    if (outcome === 'written') expect(write()).toBe('"é"');
    else expect(write).toThrow(expect.objectContaining({ status: 413, code: 'limit-result' }));
  });

  test('a value is read from its text when it is first asked for, and then no more', () => {
    const parse = jest.spyOn(JSON, 'parse');
    const stored = createTextState('{"a":[1]}', 'v', new Date(0));
    expect(stored.version).toBe('v');
    expect(parse).not.toHaveBeenCalled();
    expect(stored.value).toBe(stored.value);
    expect(parse).toHaveBeenCalledTimes(1);
    parse.mockRestore();
    expect({ ...stored }).toEqual({ value: { a: [1] }, version: 'v', modified: new Date(0) });
  });

  test('what was kept and is no JSON is a fault when it is read', () => {
    expect(() => createTextState('{', 'v', new Date(0)).value).toThrow(SyntaxError);
  });
});
