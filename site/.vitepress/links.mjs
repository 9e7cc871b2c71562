import { existsSync, statSync } from 'node:fs';
import { join, posix, relative } from 'node:path';

/** The anchor of a heading, as GitHub makes it: links with anchors are the same there and here. */
export function githubSlug(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-');
}

/**
 * A plugin of markdown-it: relative links mean what they mean on GitHub. A link to a page of the site leads there, and one to
 * another file of the repository leads to GitHub. What does not exist is an error.
 */
export function linksAsOnGithub(markdown, { root, github, toSitePath }) {
  markdown.core.ruler.push('links-as-on-github', ({ tokens, env }) => {
    const page = relative(root, env.realPath ?? env.path);
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      if (token.type === 'link_open') token.attrSet('href', link(token.attrGet('href'), page));
    }
    if (page === 'README.md') addButtons(tokens, toSitePath);
  });

  function link(href, page) {
    if (/^[a-z][a-z\d+.-]*:|^#/i.test(href)) return href;
    const [path, hash] = href.split('#');
    const target = posix.join(posix.dirname(page), path);
    if (!existsSync(join(root, target))) throw new Error(`${page}: ${href} leads to no file`);
    const anchor = hash === undefined ? '' : `#${hash}`;
    if (isOnSite(target)) return `/${toSitePath(target).replace(/(?:(?<=^|\/)index)?\.md$/, '')}${anchor}`;
    const kind = statSync(join(root, target)).isDirectory() ? 'tree' : 'blob';
    return `${github}/${kind}/main/${target}${anchor}`;
  }
}

/** Below the picture, which is the first one of README.md. */
function addButtons(tokens, toSitePath) {
  const picture = tokens.findIndex(({ children }) => children?.some(({ type }) => type === 'image'));
  const html = new tokens[0].constructor('html_block', '', 0);
  const link = (page, text) => `<a href="./${toSitePath(page).replace('.md', '')}">${text}</a>`;
  const links = [
    link('docs/getting-started.md', 'Into your app'),
    link('docs/adopting.md', 'Before and after'),
  ];
  html.content = `<p class="actions">${links.join('')}</p>\n`;
  // Behind the end of the paragraph.
  tokens.splice(picture + 2, 0, html);
}

function isOnSite(path) {
  return /^(?:README|CHANGELOG|(?:docs|site\/api)\/.*|bench\/RESULTS)\.md$/.test(path);
}
