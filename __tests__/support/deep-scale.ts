/** The size of a long proof: the whole by default, a part of it where DEEP_SCALE says so. */
export function scaled(whole: number): number {
  const scale = Number(process.env.DEEP_SCALE ?? 1);
  if (!(scale > 0)) throw new Error(`DEEP_SCALE is ${String(process.env.DEEP_SCALE)}: give a number over 0.`);
  return Math.max(1, Math.round(whole * scale));
}
