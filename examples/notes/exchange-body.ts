import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Body } from './exchange';

/** How many bytes of a body are kept. */
const mostKept = 16 * 1_024;

/** The part of a body that has passed so far; undefined if there is no body. */
export type SeenBody = () => Body | undefined;

/**
 * Records what the app reads. It wraps `push`, which Node's parser calls: a listener for `data` would start the stream before
 * the app is ready to read it.
 */
export function seeRequestBody(req: IncomingMessage): SeenBody {
  const copy = new BodyCopy();
  const push = req.push.bind(req);
  req.push = (chunk, encoding) => {
    copy.add(chunk, encoding);
    return push(chunk, encoding);
  };
  return () => copy.body(req.complete);
}

/** Records what the app writes. */
export function seeResponseBody({ method }: IncomingMessage, res: ServerResponse): SeenBody {
  const copy = new BodyCopy();
  const [write, end] = [res.write.bind(res), res.end.bind(res)];
  res.write = (...given: readonly unknown[]) => {
    copy.add(given[0], given[1]);
    return Reflect.apply(write, res, given) as boolean;
  };
  res.end = (...given: readonly unknown[]) => {
    copy.add(given[0], given[1]);
    return Reflect.apply(end, res, given) as ServerResponse;
  };
  // Node sends no content with these (RFC 9110 6.4.1).
  const isBodiless = () => method === 'HEAD' || res.statusCode === 204 || res.statusCode === 304;
  return () => (isBodiless() ? undefined : copy.body(true));
}

class BodyCopy {
  readonly #chunks: Uint8Array[] = [];
  #kept = 0;
  #bytes = 0;

  /** Ignores the other arguments of stream methods, such as a callback. */
  add(chunk: unknown, encoding: unknown): void {
    if (typeof chunk === 'string') chunk = Buffer.from(chunk, isEncoding(encoding) ? encoding : 'utf8');
    if (!(chunk instanceof Uint8Array)) return;
    // A slice would keep the whole buffer in memory, and the buffer may be overwritten.
    const start = Buffer.from(chunk.subarray(0, mostKept - this.#kept));
    if (start.length > 0) this.#chunks.push(start);
    this.#kept += start.length;
    this.#bytes += chunk.length;
  }

  body(hasEnded: boolean): Body | undefined {
    if (this.#bytes === 0) return undefined;
    const isWhole = hasEnded && this.#bytes === this.#kept;
    const text = decodeText(Buffer.concat(this.#chunks), isWhole);
    return { bytes: this.#bytes, isWhole, ...(text !== undefined && { text }) };
  }
}

function isEncoding(encoding: unknown): encoding is BufferEncoding {
  return typeof encoding === 'string' && Buffer.isEncoding(encoding);
}

/** Undefined for bytes that are not UTF-8, whatever Content-Type says; a character that was cut in two is left out. */
function decodeText(bytes: Uint8Array, isWhole: boolean): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes, {
      stream: !isWhole,
    });
    return text.includes('\0') ? undefined : text;
  } catch {
    return undefined;
  }
}
