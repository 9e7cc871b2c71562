import { parse } from 'content-type';

/** A media type without its parameters, in lower case, and the parameters, their names in lower case. */
export interface MediaType {
  readonly type: string;
  readonly parameters: Readonly<Record<string, string>>;
}

/** Reads a Content-Type; undefined where there is none or it is no media type (RFC 9110 8.3.1). */
export function parseMediaType(field: string | undefined): MediaType | undefined {
  if (field === undefined) return undefined;
  try {
    return parse(field);
  } catch {
    return undefined;
  }
}
