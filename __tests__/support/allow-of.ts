import { dispatch } from './in-process';

/** The answer to OPTIONS in short: its status, `Allow`, and `Accept-Patch` where it has one. */
export async function allowOf(app: unknown, url: string, method = 'OPTIONS'): Promise<string> {
  const { status, headers } = await dispatch(app, method, url);
  const shown = [String(status), headers['handler'], headers['allow']].filter((part) => part !== undefined);
  const acceptPatch = headers['accept-patch'];
  return shown.join(' ') + (acceptPatch === undefined ? '' : ` | ${acceptPatch}`);
}
