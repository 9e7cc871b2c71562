import { ArgumentError } from './errors';

/** Makes the function that resolves the URLs of calls against the base. */
export function urlResolver(base: unknown): (url: string) => string {
  if (base === undefined) return (url) => checked(toUrlText(url));
  if ((typeof base !== 'string' && !(base instanceof URL)) || /[?#]/.test(String(base))) {
    throw new ArgumentError(
      'url-invalid',
      'The base of resourceClient() must be a URL or a URL string, without query and fragment.',
    );
  }
  const start = String(base).replace(/\/+$/, '');
  checked(`${start}/`, start);
  return (url) => {
    const text = toUrlText(url);
    const isAbsolute = /^[a-z][a-z\d+.-]*:/i.test(text);
    const address = checked(isAbsolute ? text : `${start}/${text.replace(/^\/+/, '')}`, text);
    // They are compared after both were resolved: `..` leads out of the base, and `\` counts as a slash.
    const root = checked(`${start}/`);
    if (address.startsWith(root) || `${address}/` === root) return address;
    throw notUnder(start, text);
  };
}

/** A request to another server would send it the headers that are meant for the base. */
function notUnder(start: string, url: string): ArgumentError {
  return new ArgumentError(
    'url-invalid',
    `${JSON.stringify(url)} is not under the base ${start}/. Pass a path, or leave the base out.`,
  );
}

/** Callers in JavaScript can pass anything. */
function toUrlText(url: unknown): string {
  if (typeof url === 'string') return url;
  throw new ArgumentError('url-invalid', 'The URL of a resource must be a string.');
}

function checked(address: string, text = address): string {
  // In a page or its worker, the URL can be relative to the page.
  const { location } = globalThis as { location?: { href?: string } };
  let url: URL;
  try {
    url = location?.href === undefined ? new URL(address) : new URL(address, location.href);
  } catch {
    const fix =
      location === undefined ? 'Outside a web page, it must be absolute, or have an absolute base.' : '';
    throw new ArgumentError('url-invalid', `${JSON.stringify(text)} is not a URL. ${fix}`.trim());
  }
  // Fetch, Request constructor: fetch would reject it as it rejects a lost connection.
  if (url.username !== '' || url.password !== '') {
    throw new ArgumentError(
      'url-invalid',
      `The URL of ${url.host} contains a user name or password. Send it with the option headers.`,
    );
  }
  url.hash = '';
  return url.href;
}
