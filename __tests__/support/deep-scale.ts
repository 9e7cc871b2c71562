/** The size of a deep test: all of it by default, a part of it where DEEP_SCALE says so. */
export function scaled(whole: number): number {
  const scale = Number(process.env.DEEP_SCALE ?? 1);
  if (!(scale > 0)) throw new Error(`DEEP_SCALE is ${String(process.env.DEEP_SCALE)}: give a number over 0.`);
  return Math.max(1, Math.round(whole * scale));
}

/** How often something random is tried: `few` times after each change, and `many` times in the project `deep`. */
export function times(few: number, many: number): number {
  return isDeep() ? scaled(many) : few;
}

/** All rows in the project `deep`, and one of `every` after each change, beginning with the row at `from`. */
export function sampled<Row>(rows: readonly Row[], every: number, from = 0): readonly Row[] {
  return isDeep() ? rows : rows.filter((_, i) => i % every === from % every);
}

/** Whether this is one of the projects of `jest.config.mjs` that run everything at full size. */
export function isDeep(): boolean {
  return Reflect.get(globalThis, 'deep') === true;
}
