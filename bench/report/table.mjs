/** Objects as a Markdown table that reads well as text too; columns of figures are aligned to the right. */
export function table(objects) {
  const columns = [...new Set(objects.flatMap((object) => Object.keys(object)))];
  const cells = objects.map((object) => columns.map((column) => String(object[column] ?? '')));
  const right = columns.map((_, i) => cells.every((row) => /^([±-]?[\d.,]+( %)?)?$/.test(row[i])));
  const widths = columns.map((column, i) => Math.max(3, column.length, ...cells.map((row) => row[i].length)));
  const line = (row) =>
    `| ${row.map((cell, i) => (right[i] ? cell.padStart(widths[i]) : cell.padEnd(widths[i]))).join(' | ')} |`;
  const rule = widths.map((width, i) => '-'.repeat(right[i] ? width - 1 : width) + (right[i] ? ':' : ''));
  return [line(columns), line(rule), ...cells.map(line)].join('\n');
}
