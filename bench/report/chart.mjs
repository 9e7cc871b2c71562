import { verdict } from './goals.mjs';

const width = 900;
const rowHeight = 40;
const top = 92;
/** Where the bars are; to the left the works, to the right the ratios. */
const plot = { left: 400, right: 800 };

const style = `
  .card { fill: #ffffff; stroke: #d0d7de }
  text { font: 13px -apple-system, 'Segoe UI', Roboto, Helvetica, Arial, sans-serif; fill: #1f2328 }
  .title { font-size: 17px; font-weight: 600 }
  .quiet { font-size: 12px; fill: #59636e }
  .ratio { font-weight: 600; font-variant-numeric: tabular-nums }
  .grid { stroke: #d0d7de }
  .one { stroke: #59636e }
  .met { fill: #1a7f64 }
  .within { fill: #9a6700 }
  .missed { fill: #cf222e }
  .between { stroke: #1f2328; stroke-width: 1.5 }
  .goal { fill: #1f2328 }
  @media (prefers-color-scheme: dark) {
    .card { fill: #0d1117; stroke: #3d444d }
    text { fill: #f0f6fc }
    .quiet { fill: #9198a1 }
    .grid { stroke: #2a313c }
    .one { stroke: #9198a1 }
    .met { fill: #2ea583 }
    .within { fill: #d29922 }
    .missed { fill: #f85149 }
    .between { stroke: #f0f6fc }
    .goal { fill: #f0f6fc }
  }`;

const classes = { met: 'met', 'within the spread': 'within', MISSED: 'missed' };

/** The ratios of throughput as bars from 1, on a scale where twice and half as fast are as long; an SVG document. */
export function chart(rows, below) {
  const bars = rows.filter(({ atMost }) => !atMost);
  const bottom = top + bars.length * rowHeight;
  const height = bottom + 84;
  const x = scaleFor(bars);
  const marks = [0.5, 1, 2, 4, 8, 16].filter((value) => x(value) >= plot.left && x(value) <= plot.right);
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">Throughput of patch-options beside others</title>
<style>${style}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<text class="title" x="28" y="38">Throughput beside others</text>
<text class="quiet" x="28" y="60">How many times as many requests a second as what stands in grey; more is better</text>
${marks.map((value) => gridLine(value, x(value), bottom)).join('\n')}
${bars.map((row, i) => bar(row, top + i * rowHeight, x)).join('\n')}
${legend(bottom + 38)}
<text class="quiet" x="28" y="${bottom + 62}">${escaped(below)}</text>
</svg>
`;
}

function scaleFor(bars) {
  const values = bars.flatMap(({ ratio, goal }) => [ratio.low, ratio.high, goal]);
  const from = Math.log(Math.min(0.7, ...values) * 0.93);
  const to = Math.log(Math.max(1.5, ...values) * 1.07);
  return (value) =>
    Number((plot.left + ((Math.log(value) - from) / (to - from)) * (plot.right - plot.left)).toFixed(1));
}

function gridLine(value, x, bottom) {
  return `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x}" x2="${x}" y1="${top - 8}" y2="${bottom}"/>
<text class="quiet" x="${x}" y="${top - 14}" text-anchor="middle">${value}×</text>`;
}

function bar(row, y, x) {
  const { work, beside, ratio, goal } = row;
  const [from, to] = [x(1), x(ratio.median)].sort((a, b) => a - b);
  const middle = y + rowHeight / 2;
  return `<text x="28" y="${y + 17}">${escaped(work)}</text>
<text class="quiet" x="28" y="${y + 33}">${escaped(beside)}</text>
<rect class="${classes[verdict(row)]}" x="${from}" y="${middle - 7}" width="${Math.max(2, to - from).toFixed(1)}" height="14" rx="2"/>
<line class="between" x1="${x(ratio.low)}" x2="${x(ratio.high)}" y1="${middle}" y2="${middle}"/>
<path class="goal" d="M${x(goal)} ${middle - 8}l-4 -6h8z"/>
<text class="ratio" x="${width - 28}" y="${middle + 5}" text-anchor="end">${ratio.median.toFixed(2)}</text>`;
}

function legend(y) {
  const entries = [
    ['met', 'goal met'],
    ['within', 'within the spread of two servers alike'],
    ['missed', 'missed'],
  ];
  let x = 28;
  const drawn = entries.map(([name, text]) => {
    const entry = `<rect class="${name}" x="${x}" y="${y - 10}" width="12" height="12" rx="2"/><text class="quiet" x="${x + 18}" y="${y}">${text}</text>`;
    x += 36 + 6.2 * text.length;
    return entry;
  });
  return `${drawn.join('\n')}
<path class="goal" d="M${x + 6} ${y - 1}l-4 -6h8z"/><text class="quiet" x="${x + 18}" y="${y}">goal</text>
<line class="between" x1="${x + 62}" x2="${x + 80}" y1="${y - 4}" y2="${y - 4}"/><text class="quiet" x="${x + 86}" y="${y}">where the median lies, 19 times out of 20</text>`;
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
