import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { blocksOf } from './doc-blocks';

const run = promisify(execFile);

/** A command that a page shows after `$`, lines continued by a backslash, and what it says is printed. */
export interface Exchange {
  readonly command: string;
  readonly answer: string;
}

export function exchangesOf(page: string): readonly Exchange[] {
  return blocksOf(page, 'console')
    .flatMap((block) => block.split(/^\$ /m).slice(1))
    .map((text) => {
      const [, command = '', answer = ''] = /^((?:.*\\\n)*.*\n)([^]*)$/.exec(text) ?? [];
      return { command, answer };
    });
}

/** Runs the commands as they stand, but for the address, in one shell: a later one has the variables of those before it. */
export async function printedBy(exchanges: readonly Exchange[], address: string): Promise<readonly string[]> {
  const separator = '\u001e';
  const script = exchanges.map(({ command }) => `${command}printf '\\036'\n`).join('');
  const { stdout } = await run('bash', ['-c', script.replaceAll('http://127.0.0.1:3000', address)]);
  return stdout.split(separator).slice(0, -1);
}

/** What is the same in each run: pages leave out what every answer has, the tags and dates are new each time, and a date is left out until its second is over. */
export function comparable(answer: string): string {
  return answer
    .replaceAll('\r', '')
    .replace(/^(?:X-Powered-By|Date|Last-Modified|Connection|Keep-Alive): .*\n?/gm, '')
    .replace(/^ETag: .*$/m, 'ETag:')
    .trimEnd();
}

/** The numbers of the exchanges that show the same ETag, for each one that is shown. */
export function sameTags(answers: readonly string[]): readonly (readonly number[])[] {
  const places = new Map<string, number[]>();
  for (const [index, answer] of answers.entries()) {
    const [, tag] = /^ETag: "(.*)"\r?$/m.exec(answer) ?? [];
    if (tag !== undefined) places.set(tag, [...(places.get(tag) ?? []), index]);
  }
  return [...places.values()];
}
