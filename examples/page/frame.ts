/**
 * Runs in a frame of another origin, and sends what the page asks it to: so a request really comes from there, and it
 * is the browser that refuses it. A plain script: the origin of a sandboxed frame may load no module from here.
 */
addEventListener('message', ({ data, source, ports }: MessageEvent<{ url: string; init: RequestInit }>) => {
  const [reply] = ports;
  // Who may embed this file, the server says in frame-ancestors.
  if (source !== parent || source === window || reply === undefined) return;
  fetch(data.url, data.init).then(
    ({ status, statusText }) => {
      reply.postMessage({ answered: `${String(status)} ${statusText}` });
    },
    (error: unknown) => {
      reply.postMessage({ failed: String(error) });
    },
  );
});
