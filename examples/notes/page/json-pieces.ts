/** A piece of JSON text, and the JSON Pointer of its value; a comma belongs to the object or array that contains it. */
export interface Piece {
  readonly text: string;
  readonly pointer: string;
}

interface Value {
  readonly pointer: string;
  /** The brackets; for a value without members, the whole text. */
  readonly open: string;
  readonly close: string;
  readonly members: { readonly name: string; readonly value: Value }[];
  /** Its length on one line. */
  width: number;
}

/** How deep JSON may be nested: each level indents every line in it. */
const deepest = 32;

/** How many characters an object or array can have to be shown on one line; the outermost never is. */
const widest = 40;

/**
 * Splits JSON text into lines. Its tokens are kept: a number that JavaScript cannot represent is shown as it was sent, and so
 * is a duplicate name.
 *
 * @returns undefined if the text is not JSON, or is nested too deeply to be readable
 */
export function jsonPieces(text: string): readonly Piece[] | undefined {
  const root = parsed(text);
  if (root === undefined) return undefined;
  const pieces: Piece[] = [];

  const write = (value: Value, indent: string, isRoot: boolean): void => {
    const { pointer, open, close, members } = value;
    const isOpen = members.length > 0 && (isRoot || value.width > widest);
    const inner = isOpen ? `${indent}  ` : '';
    pieces.push({ text: open, pointer });
    members.forEach((member, at) => {
      const gap = isOpen ? `\n${inner}` : at > 0 ? ' ' : '';
      pieces.push({ text: (at > 0 ? ',' : '') + gap, pointer });
      if (member.name !== '') pieces.push({ text: `${member.name}: `, pointer: member.value.pointer });
      write(member.value, inner, false);
    });
    pieces.push({ text: isOpen ? `\n${indent}${close}` : close, pointer });
  };
  write(root, '', true);
  return pieces;
}

function parsed(text: string): Value | undefined {
  try {
    JSON.parse(text);
  } catch {
    return undefined;
  }
  // The text is valid JSON, so it is enough to split it into tokens.
  const tokens = text.match(/"(?:[^"\\]|\\.)*"|[^\s[\]{},:"]+|[[\]{},:]/g) ?? [];
  let at = 0;

  const read = (pointer: string, depth: number): Value => {
    const open = tokens[at++] ?? '';
    const value: Value = { pointer, open, close: '', members: [], width: open.length };
    if (open !== '[' && open !== '{') return value;
    if (depth > deepest) throw new RangeError('Nested too deep');
    while (tokens[at] !== ']' && tokens[at] !== '}') {
      if (tokens[at] === ',') at++;
      const name = open === '{' ? (tokens[at] ?? '') : '';
      if (open === '{') at += 2;
      const token = open === '{' ? toToken(name) : String(value.members.length);
      const member = read(`${pointer}/${token}`, depth + 1);
      value.members.push({ name, value: member });
      value.width += name.length + member.width + 4;
    }
    return { ...value, close: tokens[at++] ?? '' };
  };
  try {
    return read('', 0);
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** RFC 6901 3 */
function toToken(name: string): string {
  return (JSON.parse(name) as string).replaceAll('~', '~0').replaceAll('/', '~1');
}
