import type { Exchange } from '../exchange.js';

export type StreamState = 'live' | 'waiting' | 'paused';

/**
 * Follows the exchanges that the API has seen, while the page is in view: over HTTP/1.1 a browser has six connections
 * to an origin, and seven tabs would need one more.
 */
export function followExchanges(
  onExchange: (exchange: Exchange) => void,
  onState: (state: StreamState) => void,
): void {
  const known = new Set<string>();
  let source: EventSource | undefined;

  const open = (): void => {
    source = new EventSource('/exchanges');
    source.addEventListener('open', () => {
      onState('live');
    });
    source.addEventListener('error', () => {
      onState('waiting');
    });
    source.addEventListener('message', ({ data, lastEventId }: MessageEvent<string>) => {
      // A stream that is opened again begins with what is known already.
      if (known.has(lastEventId)) return;
      known.add(lastEventId);
      onExchange(JSON.parse(data) as Exchange);
    });
  };

  const attend = (): void => {
    source?.close();
    if (document.hidden) onState('paused');
    else open();
  };
  document.addEventListener('visibilitychange', attend);
  attend();
}
