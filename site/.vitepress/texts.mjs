/** Each page as Markdown beside its HTML, and llms.txt, which lists them (llmstxt.org): for those who read no HTML. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, posix } from 'node:path';

/**
 * @param pages - the path of each page in the repository, and on the site
 * @param groups - those of the sidebar
 * @param site - the address of the site, with a slash at its end
 */
export function writeTexts({ root, outDir, pages, groups, title, description, site, github }) {
  const texts = new Map(
    pages.map(({ source, path }) => [path, withSiteLinks(readFileSync(join(root, source), 'utf8'), source)]),
  );
  for (const [path, text] of texts) {
    mkdirSync(dirname(join(outDir, path)), { recursive: true });
    writeFileSync(join(outDir, path), text);
  }
  const lists = groups.map(({ text, items }) => {
    const lines = items.flatMap((item) => {
      const path = item.link.replace(/^\//, '').replace(/(^|\/)$/, '$1index') + '.md';
      const page = texts.get(path);
      return page === undefined ? [] : [`- [${item.text}](${site}${path}): ${firstSentence(page)}`];
    });
    return [`## ${text}`, '', ...lines, ''].join('\n');
  });
  writeFileSync(join(outDir, 'llms.txt'), [`# ${title}`, '', `> ${description}`, '', ...lists].join('\n'));

  /** Links to other pages lead to their Markdown on the site, and all others to GitHub. */
  function withSiteLinks(text, source) {
    return text.replaceAll(/\]\((?![a-z]+:|#)([^)#\s]+)(#[^)\s]*)?\)/g, (_, href, hash = '') => {
      const target = posix.join(posix.dirname(source), href);
      const page = pages.find((each) => each.source === target);
      return `](${page === undefined ? `${github}/blob/main/${target}` : `${site}${page.path}`}${hash})`;
    });
  }
}

/** Of a page: of the first paragraph that is prose. */
function firstSentence(page) {
  const prose = page
    .replaceAll(/^```[^]*?^```$/gm, '')
    .split(/\n{2,}/)
    .map((part) => part.trim())
    .find((part) => /^[A-Z[`]/.test(part));
  const [, sentence = ''] = /^((?:`[^`]*`|[^`])*?[.:])(?:\s|$)/.exec(prose ?? '') ?? [];
  return sentence
    .replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll('**', '')
    .replaceAll(/\s+/g, ' ')
    .replace(/:$/, '.');
}
