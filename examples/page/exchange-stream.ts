import type { Exchange } from '../exchange.js';

export type StreamState = 'live' | 'waiting' | 'paused';

/** How many milliseconds pass before a stream that the browser has given up is opened again. */
const pause = 2_000;

export interface StreamListeners {
  /** @param isNew - false for what had happened before the stream was opened */
  readonly exchange: (exchange: Exchange, isNew: boolean) => void;
  /** Live: nothing is missed from here on. */
  readonly state: (state: StreamState) => void;
}

/**
 * Follows the exchanges that the API has seen, while the page is in view: over HTTP/1.1 a browser has six connections
 * to an origin, and seven tabs would need one more.
 */
export function followExchanges({ exchange, state }: StreamListeners): void {
  const known = new Set<string>();
  let source: EventSource | undefined;
  let reopening: ReturnType<typeof setTimeout> | undefined;

  const open = (): void => {
    const opened = (source = new EventSource('/exchanges'));
    let isLive = false;
    opened.addEventListener('live', () => {
      isLive = true;
      state('live');
    });
    opened.addEventListener('error', () => {
      isLive = false;
      state('waiting');
      // Browsers try again by themselves after a connection was lost, but not after an answer that is not a stream.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, pause);
    });
    opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      // A stream that is opened again begins with what is known already.
      if (known.has(lastEventId)) return;
      known.add(lastEventId);
      exchange(JSON.parse(data) as Exchange, isLive);
    });
  };

  const attend = (): void => {
    source?.close();
    clearTimeout(reopening);
    if (document.hidden) state('paused');
    else open();
  };
  document.addEventListener('visibilitychange', attend);
  attend();
}
