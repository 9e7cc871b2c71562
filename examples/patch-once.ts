/** Sends a JSON Patch again and again until it is answered. It is applied once, whatever is lost on the way. */
export async function patchOnce(url: string, patch: unknown, headers?: Record<string, string>) {
  const own = {
    'Content-Type': 'application/json-patch+json',
    'Idempotency-Key': `"${crypto.randomUUID()}"`, // made once: every attempt is the same request
  };
  const request = { method: 'PATCH', headers: { ...headers, ...own }, body: JSON.stringify(patch) };
  for (let wait = 100; ; wait = Math.min(2 * wait, 10_000)) {
    const answer = await fetch(url, request).catch(() => undefined); // lost: done or not, nobody knows
    const retryAfter = answer?.headers.get('Retry-After') ?? undefined;
    if (answer !== undefined && retryAfter === undefined && answer.status < 502) return answer;
    await new Promise((go) => setTimeout(go, Number(retryAfter ?? 0) * 1_000 + Math.random() * wait));
  }
}
