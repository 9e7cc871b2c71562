/**
 * Runs in a frame of another origin, and sends the requests of the page: they really come from that origin, and the browser
 * itself refuses them. This is a classic script, because a sandboxed frame cannot load a module from here.
 */
addEventListener('message', ({ data, source, ports }: MessageEvent<{ url: string; init: RequestInit }>) => {
  const [reply] = ports;
  // The server restricts who can embed this file with frame-ancestors.
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
