import { isHeld } from '../../../lib/stores/contract/key';

test.each<[string, string, boolean]>([
  ['letters', 'note-1', true],
  ['nothing', '', true],
  ['a character of two code units', '\u{1f600}', true],
  ['1,024 bytes', 'é'.repeat(512), true],
  ['1,025 bytes', `${'é'.repeat(512)}a`, false],
  ['a NUL', 'a\0b', false],
  ['half a character', '\ud83d', false],
  ['the halves of a character in the wrong order', '\ude00\ud83d', false],
])('a key of %s is held: %s', (_, key, expected) => {
  expect(isHeld(key)).toBe(expected);
});

test('no key is held at a version that no store makes', () => {
  expect([isHeld('key', null), isHeld('key', 'v'), isHeld('key', 'v\0'), isHeld('key', '\ud83d')]).toEqual([
    true,
    true,
    false,
    false,
  ]);
});
