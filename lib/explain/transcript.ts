import { printable } from '../config/printable';
import type { HttpExchange } from './transport';
import { hideSecrets } from './words';

/** A request and the head of its answer, as text that can be pasted into an issue. */
export function toTranscript({ request, answer, isLate }: HttpExchange): string {
  const { method, path, headers } = request;
  const lines = [
    `${method} ${hideSecrets(path)} HTTP/1.1`,
    ...headers.map(([name, value]) => showField(name, value)),
    '',
  ];
  if (answer === undefined) return [...lines, isLate ? '(no answer in time)' : '(no answer)'].join('\n');
  lines.push(printable(`HTTP/1.1 ${answer.status} ${hideSecrets(answer.statusMessage ?? '')}`.trimEnd()));
  for (let i = 0; i < answer.rawHeaders.length; i += 2) {
    lines.push(showField(answer.rawHeaders[i] ?? '', answer.rawHeaders[i + 1] ?? ''));
  }
  return lines.join('\n');
}

function showField(name: string, value: string): string {
  const isSecret = /^(?:authorization|proxy-authorization|cookie|set-cookie)$/i.test(name);
  return printable(`${name}: ${isSecret ? '…' : hideSecrets(value)}`);
}
