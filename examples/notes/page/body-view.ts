import type { Body } from '../exchange.js';
import { element } from './element.js';
import { jsonPieces } from './json-pieces.js';

/** The body of a message: JSON over several lines, with the values at these JSON Pointers marked. */
export function bodyView(
  name: string,
  { text, bytes, isWhole }: Body,
  marks: readonly string[] = [],
): HTMLElement {
  const size = bytes === 1 ? '1 byte' : `${String(bytes)} bytes`;
  if (text === undefined) return element('p', { class: 'hint' }, `${name}: ${size} that are not text.`);
  const shown = codeView(name, text, marks);
  if (isWhole) return shown;
  const hint = element('p', { class: 'hint' }, `Only the beginning is shown: the body has ${size}.`);
  return element('div', {}, shown, hint);
}

/** Shows a text in the same way. It is never parsed as markup. */
export function codeView(name: string, text: string, marks: readonly string[] = []): HTMLPreElement {
  const code = element('code');
  showJson(code, text, marks);
  return element('pre', { class: 'code', tabindex: '0', role: 'region', 'aria-label': name }, code);
}

/** Replaces the content of an element with formatted JSON; a text that is not JSON is shown unchanged. */
export function showJson(into: HTMLElement, text: string, marks: readonly string[]): void {
  const isMarked = (pointer: string): boolean =>
    marks.some((mark) => pointer === mark || pointer.startsWith(`${mark}/`));
  const runs: { text: string; readonly marked: boolean }[] = [];
  for (const piece of jsonPieces(text) ?? [{ text, pointer: '' }])
    // Do not mark the indentation of a line.
    for (const part of piece.text.split(/(\n *)/)) {
      const marked = !part.startsWith('\n') && isMarked(piece.pointer);
      const last = runs.at(-1);
      if (last?.marked === marked) last.text += part;
      else runs.push({ text: part, marked });
    }
  const shown = runs.filter((run) => run.text !== '');
  into.replaceChildren(...shown.map((run) => (run.marked ? element('mark', {}, run.text) : run.text)));
}
