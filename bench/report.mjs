const percent = (share) => `±${(100 * share).toFixed(1)} %`;

export function printRates({ rates, alike, spread }) {
  for (const { name, rate, cpu } of rates) {
    const figures = `${rate.toFixed(0).padStart(7)} a second  ${cpu.toFixed(1).padStart(7)} us of processor time each`;
    console.log(`  ${name.padEnd(24)}${figures}`);
  }
  const { median, low, high } = alike;
  console.log(
    `  two alike: ${median.toFixed(3)} (${low.toFixed(3)} to ${high.toFixed(3)}), spread ${percent(spread)}`,
  );
}

export function printRows(rows) {
  console.table(
    rows.map(({ work, beside, ratio, spread, goal }) => ({
      work,
      beside,
      ratio: ratio.median.toFixed(3),
      'rounds (80 %)': `${ratio.low.toFixed(3)} to ${ratio.high.toFixed(3)}`,
      spread: percent(spread),
      goal,
      result: verdict(ratio.median, goal, spread),
    })),
  );
}

/** Missed only beyond what the machine's own noise explains. */
function verdict(ratio, goal, spread) {
  if (ratio >= goal) return 'met';
  return ratio >= goal * (1 - spread) ? 'within the spread' : 'MISSED';
}
