const width = 760;
const top = 92;
const height = 56;
/** Where the bars are; to the left what is compared, to the right the ratios. */
const plot = { left: 300, right: 680 };

const style = `
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 14px -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 }
  .quiet { font-size: 12px; fill: #59636e }
  .ratio { font-weight: 600; font-variant-numeric: tabular-nums }
  .bar { fill: #1a7f64 }
  .one { stroke: #1f2328; stroke-dasharray: 4 3 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d }
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .bar { fill: #2ea583 }
    .one { stroke: #f0f6fc }
  }`;

/** What the bars say, for those who do not see them. */
export const summary = (rows) =>
  rows.map(({ bar: [label, other], ratio }) => `${label} costs ${times(ratio)} ${other}`).join('; ');

/** The rows that a user decides by, as bars beside a line for what each is compared with; an SVG document. */
export function chart(rows, lines) {
  const longest = Math.max(1.5, ...rows.map(({ ratio }) => ratio.median));
  const x = (ratio) => Number((plot.left + (ratio / longest) * (plot.right - plot.left)).toFixed(1));
  const bottom = top + rows.length * height;
  const end = bottom + 24 + 18 * lines.length;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${end}" viewBox="0 0 ${width} ${end}" role="img" aria-labelledby="title">
<title id="title">${escaped(summary(rows))}</title>
<style>${style}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${end - 1}" rx="10"/>
<text class="title" x="28" y="38">What patch-options costs</text>
<text class="quiet" x="28" y="60">Processor time: a longer bar costs more</text>
${rows.map((row, i) => bar(row, top + i * height, x)).join('\n')}
<line class="one" x1="${x(1)}" x2="${x(1)}" y1="${top - 6}" y2="${bottom}"/>
<text class="quiet" x="${x(1)}" y="${top - 14}" text-anchor="middle">1 = as much</text>
${lines.map((line, i) => `<text class="quiet" x="28" y="${bottom + 24 + 18 * i}">${escaped(line)}</text>`).join('\n')}
</svg>
`;
}

function bar({ bar: [label, other], ratio }, y, x) {
  return `<text x="28" y="${y + 20}">${escaped(label)}</text>
<text class="quiet" x="28" y="${y + 38}">beside ${escaped(other)}</text>
<rect class="bar" x="${plot.left}" y="${y + 8}" width="${(x(ratio.median) - plot.left).toFixed(1)}" height="32" rx="3"/>
<text class="ratio" x="${width - 28}" y="${y + 29}" text-anchor="end">${times(ratio)}</text>`;
}

const times = ({ median }) => `${median.toFixed(2)}×`;
const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
