import type { PlainRequest } from './copy-as.js';
import { element } from './element.js';

/** The outcome of a request for its script: the response, or the reason why there is none to read. */
export type Outcome = { readonly answered: string } | { readonly failed: string };

export type Sender = (request: PlainRequest) => Promise<Outcome>;

/** How many milliseconds a frame can take to load and to answer. */
const patience = 8_000;

export const sendFromHere: Sender = async ({ url, init }) => {
  try {
    const { status, statusText } = await fetch(url, init);
    return { answered: `${String(status)} ${statusText}` };
  } catch (error) {
    return { failed: String(error) };
  }
};

/** Sends from a frame of the given origin, or of the origin null, which every sandboxed frame has. */
export function frameSender(origin: string): Sender {
  let loading: Promise<HTMLIFrameElement> | undefined;
  return async (request) => {
    const frame = await (loading ??= load(origin));
    const { port1, port2 } = new MessageChannel();
    const answer = new Promise<Outcome>((resolve) => {
      port1.onmessage = ({ data }: MessageEvent<Outcome>) => {
        resolve(data);
      };
    });
    // An opaque origin cannot be a target, and nothing in the request is secret.
    frame.contentWindow?.postMessage(request, '*', [port2]);
    const silence = {
      failed: `The frame of ${origin} does not respond. This browser may be unable to resolve its host name.`,
    };
    return Promise.race([answer, after(patience, silence)]);
  };
}

async function load(origin: string): Promise<HTMLIFrameElement> {
  const opaque = origin === 'null';
  const frame = element('iframe', { hidden: '', title: `Sends requests from ${origin}` });
  if (opaque) frame.setAttribute('sandbox', 'allow-scripts');
  frame.src = opaque ? '/frame.html' : `${origin}/frame.html`;
  const loaded = new Promise((resolve) => {
    frame.addEventListener('load', resolve);
  });
  document.body.append(frame);
  await Promise.race([loaded, after(patience, undefined)]);
  return frame;
}

function after<Value>(milliseconds: number, value: Value): Promise<Value> {
  return new Promise((resolve) => {
    setTimeout(resolve, milliseconds, value);
  });
}
