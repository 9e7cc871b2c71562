import { verdict } from './goals.mjs';

const width = 900;
const top = 100;
/** Where the bars are; to the left what is compared, to the right the ratios. */
const plot = { left: 330, right: 800 };
const heights = { work: 23, bar: 20, gap: 9 };

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
  .between { stroke: #1f2328; stroke-width: 1.5; stroke-linecap: round }
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

const classes = {
  met: 'met',
  'within the spread': 'within',
  'too noisy to tell': 'within',
  MISSED: 'missed',
};

/** The ratios of throughput as bars from 1, on a scale where twice and half as fast are as long; an SVG document. */
export function chart(rows, below) {
  const bars = rows.filter(({ atMost }) => !atMost);
  const x = scaleFor(bars);
  const drawn = [];
  let y = top;
  bars.forEach((row, i) => {
    if (row.work !== bars[i - 1]?.work) {
      if (i > 0) y += heights.gap;
      drawn.push(`<text x="28" y="${y + 18}">${escaped(row.work)}</text>`);
      y += heights.work;
    }
    drawn.push(bar(row, y + heights.bar / 2, x));
    y += heights.bar;
  });
  const height = y + 88;
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}" viewBox="0 0 ${width} ${height}" role="img" aria-labelledby="title">
<title id="title">Throughput of patch-options beside others</title>
<style>${style}
</style>
<rect class="card" x="0.5" y="0.5" width="${width - 1}" height="${height - 1}" rx="10"/>
<text class="title" x="28" y="38">Throughput beside others</text>
<text class="quiet" x="28" y="60">How many times the throughput of what stands in grey; further right is better</text>
${gridLines(x, y + 8)}
${drawn.join('\n')}
${legend(y + 42)}
<text class="quiet" x="28" y="${y + 66}">${escaped(below)}</text>
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

function gridLines(x, bottom) {
  return [0.25, 0.5, 1, 2, 4, 8, 16]
    .filter((value) => x(value) >= plot.left && x(value) <= plot.right)
    .map(
      (
        value,
      ) => `<line class="${value === 1 ? 'one' : 'grid'}" x1="${x(value)}" x2="${x(value)}" y1="${top - 6}" y2="${bottom}"/>
<text class="quiet" x="${x(value)}" y="${top - 12}" text-anchor="middle">${value}×</text>`,
    )
    .join('\n');
}

function bar(row, y, x) {
  const { beside, ratio, goal } = row;
  const [from, to] = [x(1), x(ratio.median)].sort((a, b) => a - b);
  return `<text class="quiet" x="44" y="${y + 4}">${escaped(beside)}</text>
<rect class="${classes[verdict(row)]}" x="${from}" y="${y - 6}" width="${Math.max(2, to - from).toFixed(1)}" height="12" rx="2"/>
<line class="between" x1="${x(ratio.low)}" x2="${x(ratio.high)}" y1="${y}" y2="${y}"/>
<path class="goal" d="M${x(goal)} ${y - 6}l-4 -6h8z"/>
<text class="ratio" x="${width - 28}" y="${y + 5}" text-anchor="end">${ratio.median.toFixed(2)}×</text>`;
}

function legend(y) {
  const square = (name) => `<rect class="${name}" y="-10" width="12" height="12" rx="2"/>`;
  const entries = [
    [28, square('met'), 'goal met'],
    [118, square('within'), 'within the spread of two servers alike'],
    [364, square('missed'), 'missed'],
    [446, '<path class="goal" d="M6 -1l-4 -6h8z"/>', 'goal'],
    [510, '<line class="between" x2="12" y1="-4" y2="-4"/>', 'where the median lies, 19 times out of 20'],
  ];
  return entries
    .map(
      ([x, sign, text]) =>
        `<g transform="translate(${x} ${y})">${sign}<text class="quiet" x="20">${text}</text></g>`,
    )
    .join('\n');
}

const escaped = (text) => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
