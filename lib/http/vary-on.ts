import type { ServerResponse } from 'node:http';
import vary from 'vary';

/** Adds field names to Vary. Npm `vary` reads what is there, which where nothing is costs more than to set the field. */
export function varyOn(res: ServerResponse, names: string): void {
  if (res.hasHeader('Vary')) vary(res, names);
  else res.setHeader('Vary', names);
}
