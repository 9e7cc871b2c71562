/**
 * How much of a list is read before it is given up: elements, empty ones, which gateways that pad or join lists leave
 * behind, and characters over all lines. More than any browser sends: Node itself reads at most 16 KiB of header fields.
 */
export const fieldListBounds = { elements: 128, empty: 16, length: 8_192 };

/**
 * The elements of a comma-separated list field, RFC 9110 5.6.1.2, in order and as written, from its one line or its
 * several: `#element => [ element ] *( OWS "," OWS [ element ] )`. Empty elements are ignored, up to a reasonable number.
 *
 * It is one pass without `split`, because what stands in the field is whatever a stranger sends: lists of nothing but
 * commas have cost servers a thousand times as much.
 *
 * @returns undefined where the list passes a bound
 */
export function parseFieldList(lines: string | readonly string[] | null | undefined): string[] | undefined {
  const elements: string[] = [];
  let empty = 0;
  let length = 0;
  for (const line of typeof lines === 'string' ? [lines] : (lines ?? [])) {
    length += line.length;
    if (length > fieldListBounds.length) return undefined;
    for (let start = 0, end; start <= line.length; start = end + 1) {
      const comma = line.indexOf(',', start);
      end = comma === -1 ? line.length : comma;
      const element = trimmed(line, start, end);
      if (element !== '') elements.push(element);
      else if (line !== '') empty++;
      if (elements.length > fieldListBounds.elements || empty > fieldListBounds.empty) return undefined;
    }
  }
  return elements;
}

/** `line` from `start` to `end` without the optional white space at either side: SP and HTAB, RFC 9110 5.6.3. */
function trimmed(line: string, start: number, end: number): string {
  while (start < end && isWhitespace(line, start)) start++;
  while (end > start && isWhitespace(line, end - 1)) end--;
  return line.slice(start, end);
}

function isWhitespace(line: string, index: number): boolean {
  return line[index] === ' ' || line[index] === '\t';
}
