/**
 * Escapes every character that a terminal would interpret or hide, as `\u{9b}`: control characters (C0, DEL
 * and C1, whose U+009B begins escape sequences as ESC [ does), characters that are invisible or change the
 * direction of text, lone surrogates, and line breaks, with which a value could forge a line.
 */
export function printable(text: string): string {
  return text.replace(
    /[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`,
  );
}
