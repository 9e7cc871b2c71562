/**
 * The limits of a list: elements, empty elements (which gateways leave when they pad or join lists), and
 * characters in all lines. Browsers send less; Node itself reads at most 16 KiB of headers.
 */
const fieldListBounds = { elements: 128, empty: 16, length: 8_192 };

/**
 * The elements of a comma-separated list (RFC 9110 5.6.1.2), unchanged and in order, from one line or
 * several: `#element => [ element ] *( OWS "," OWS [ element ] )`. Empty elements are ignored, up to a
 * reasonable number.
 *
 * It reads in one pass, without `split`, because clients can send anything: lists that contain only commas
 * have cost servers a thousand times as much.
 *
 * @returns undefined if the list exceeds a limit
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

/**
 * The part of `line` from `start` to `end`, without the optional white space around it: SP and HTAB (RFC 9110
 * 5.6.3).
 */
function trimmed(line: string, start: number, end: number): string {
  while (isWhitespace(line, start)) start++;
  while (isWhitespace(line, end - 1)) end--;
  return line.slice(start, end);
}

function isWhitespace(line: string, index: number): boolean {
  return line[index] === ' ' || line[index] === '\t';
}
