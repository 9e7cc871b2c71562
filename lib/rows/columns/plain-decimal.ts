const form = /^(-?)(\d+)(?:\.(\d+))?(?:[eE]([+-]?\d{1,3}))?$/;

/**
 * The digits of a decimal number without an exponent, as JavaScript and float8 write one; undefined if it is
 * not a number.
 */
export function plainDecimal(text: string): string | undefined {
  const match = form.exec(text);
  if (match === null) return undefined;
  const [, sign = '', whole = '', fraction = '', exponent] = match;
  if (exponent === undefined) return text;
  const point = whole.length + Number(exponent);
  // At least one digit before the point.
  const digits = `${'0'.repeat(Math.max(0, 1 - point))}${whole}${fraction}`.padEnd(point, '0');
  const at = Math.max(1, point);
  return `${sign}${digits.slice(0, at)}${digits.length > at ? `.${digits.slice(at)}` : ''}`;
}

/**
 * Whether a double has so few digits that it is the only decimal of that length: beyond 15 it may have been
 * rounded from another.
 */
export function isExactDecimal(value: number): boolean {
  const digits = String(value).replace(/e.*$/, '').replace(/[-.]/g, '');
  return digits.replace(/^0+/, '').replace(/0+$/, '').length <= 15;
}
