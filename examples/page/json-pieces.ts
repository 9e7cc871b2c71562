/** A piece of JSON text, and the JSON Pointer of the value that it belongs to; a comma belongs to what it is in. */
export interface Piece {
  readonly text: string;
  readonly pointer: string;
}

interface Value {
  readonly pointer: string;
  /** The brackets; for what has no members, the whole text. */
  readonly open: string;
  readonly close: string;
  readonly members: { readonly name: string; readonly value: Value }[];
  /** How long it is on one line. */
  width: number;
}

/** How deep JSON may be nested: each level indents every line in it. */
const deepest = 32;

/** How many characters an object or array may have to stand on one line; the outermost never does. */
const widest = 40;

/**
 * JSON text over several lines. Its tokens stay what they were: a number that JavaScript cannot hold is shown as it was sent,
 * and so is a name that is there twice.
 *
 * @returns undefined for what is not JSON, and for what is nested too deep to be read
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
  // It is JSON, so that the tokens need no grammar.
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
      const token = open === '{' ? tokenOf(name) : String(value.members.length);
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
function tokenOf(name: string): string {
  return (JSON.parse(name) as string).replaceAll('~', '~0').replaceAll('/', '~1');
}
