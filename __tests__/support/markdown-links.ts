import { readFile } from 'node:fs/promises';
import { posix } from 'node:path';

/** The relative links of Markdown files that lead to no file, or to no heading of it. */
export async function brokenLinks(folder: string, paths: readonly string[]): Promise<string[]> {
  const pages = paths.filter((path) => path.endsWith('.md'));
  const texts = new Map<string, string>();
  for (const page of pages) texts.set(page, await readFile(posix.join(folder, page), 'utf8'));
  return pages.flatMap((page) =>
    linksOf(texts.get(page) ?? '')
      .filter((link) => {
        const [path = '', heading = ''] = link.split('#');
        const target = path === '' ? page : posix.join(posix.dirname(page), path);
        return (
          !paths.includes(target) || (heading !== '' && !anchorsOf(texts.get(target) ?? '').includes(heading))
        );
      })
      .map((link) => `${page}: ${link}`),
  );
}

/** Links and images, but for those with a scheme. */
function linksOf(markdown: string): string[] {
  const links = [...markdown.matchAll(/\]\(([^()\s]+)\)/g)].map(([, link = '']) => link);
  return links.filter((link) => !/^[a-z][a-z\d+.-]*:/i.test(link));
}

/** The headings as GitHub names them, and the anchors that are written out. */
function anchorsOf(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.*)$/gm)].map(([, heading = '']) =>
    heading
      .toLowerCase()
      .replace(/[^\p{L}\p{N}\s_-]/gu, '')
      .replaceAll(' ', '-'),
  );
  const written = [...markdown.matchAll(/<a id="([^"]+)"><\/a>/g)].map(([, anchor = '']) => anchor);
  return [...headings, ...written];
}
