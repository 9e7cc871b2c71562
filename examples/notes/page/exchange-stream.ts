import type { Exchange } from '../exchange.js';

export type StreamState = 'live' | 'waiting' | 'paused';

/** How many milliseconds to wait before reopening a stream that the browser has given up. */
const pause = 2_000;

export interface StreamListeners {
  /** @param isNew - false for exchanges from before the stream was opened */
  readonly exchange: (exchange: Exchange, isNew: boolean) => void;
  /** Called when the stream is live: no exchange is missed from here on. */
  readonly state: (state: StreamState) => void;
}

/**
 * Follows the exchanges of the API while the page is visible: over HTTP/1.1, a browser opens at most six connections to an
 * origin, so hidden tabs must not hold one each.
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
      // Browsers reconnect by themselves after a lost connection, but not after a response that is not a stream.
      if (opened.readyState === EventSource.CLOSED) reopening = setTimeout(open, pause);
    });
    opened.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      // A reopened stream starts with exchanges that are already known.
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
