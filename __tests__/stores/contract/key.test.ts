import { isStorableKey } from '../../../lib/stores/contract/key';

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
