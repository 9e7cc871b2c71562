/** RFC 9110 5.6.7: the three forms that a recipient must read, the last two obsolete. */
const forms = [
  /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{5,8}, \d{2}-[A-Z][a-z]{2}-\d{2} \d{2}:\d{2}:\d{2} GMT$/,
  /^[A-Z][a-z]{2} [A-Z][a-z]{2} [ \d]\d \d{2}:\d{2}:\d{2} \d{4}$/,
];

/**
 * The time that an HTTP-date names, in milliseconds since the epoch; undefined where the text is none. `Date.parse`
 * alone would take many texts that are no HTTP-date, and read the asctime form, which names no zone, as local time.
 */
export function parseHttpDate(text: string | undefined): number | undefined {
  if (text === undefined || !forms.some((form) => form.test(text))) return undefined;
  const time = Date.parse(text.endsWith(' GMT') ? text : `${text} GMT`);
  return Number.isNaN(time) ? undefined : time;
}
