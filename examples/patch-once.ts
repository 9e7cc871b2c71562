/** Sends a JSON Patch until it is answered. The server applies it once, whichever messages are lost. */
export async function patchOnce(url: string, patch: unknown, headers?: Record<string, string>) {
  const key = `"${crypto.randomUUID()}"`; // made once: every attempt is the same request
  const own = { 'Content-Type': 'application/json-patch+json', 'Idempotency-Key': key };
  const request = { method: 'PATCH', headers: { ...headers, ...own }, body: JSON.stringify(patch) };
  for (let wait = 100; ; wait = Math.min(2 * wait, 10_000)) {
    const answer = await fetch(url, request).catch(() => undefined); // lost: it may have been carried out
    const after = answer?.headers.get('Retry-After') ?? ''; // seconds, or a date
    if (answer !== undefined && after === '' && answer.status < 502) return answer;
    const asked = /\D/.test(after) ? Date.parse(after) - Date.now() : Number(after) * 1_000;
    const pause = Math.min(Math.max(asked || 0, 0), 86_400_000) + Math.random() * wait;
    await new Promise((go) => setTimeout(go, pause));
  }
}
