/**
 * An element with what follows it: in double quotes, with backslashes before quotes and backslashes, or as it
 * is.
 */
const element = /(?:"([^"\\]*(?:\\.[^"\\]*)*)"|([^\s,{}"\\]+))([,}])/sy;

/**
 * The elements of an array of one dimension as PostgreSQL writes it, `{paid,"a b",NULL}`. Drivers return it
 * for types that they do not know, such as an array of an enum or of citext.
 *
 * @returns undefined if it is not such an array
 */
export function readPostgresArray(text: string): (string | null)[] | undefined {
  if (text === '{}') return [];
  const elements: (string | null)[] = [];
  element.lastIndex = 1;
  let end = text.startsWith('{') ? ',' : undefined;
  while (end === ',') {
    const match = element.exec(text);
    const [, quoted, plain = ''] = match ?? [];
    elements.push(plain.toUpperCase() === 'NULL' ? null : (quoted?.replace(/\\(.)/gs, '$1') ?? plain));
    end = match?.[3];
    if (end === '}' && element.lastIndex < text.length) return undefined;
  }
  return end === '}' ? elements : undefined;
}
