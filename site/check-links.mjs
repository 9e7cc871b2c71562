/** Checks what VitePress does not: that anchors of links exist, that the sidebar has all pages, and that no page names this machine. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, posix } from 'node:path';
import { sidebar } from './.vitepress/sidebar.mjs';

const folder = join(import.meta.dirname, 'dist');
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((path) =>
  path.endsWith('.html'),
);
const pages = new Map(files.map((path) => [`/${path}`, readFileSync(join(folder, path), 'utf8')]));
const [, base] = /<link rel="preload stylesheet" href="(\/[^/]+\/)?assets\//.exec(pages.get('/index.html'));
const anchors = new Map([...pages].map(([path, html]) => [path, new Set(attributes(html, 'id'))]));

const faults = [...pages].flatMap(([path, html]) =>
  attributes(html, 'href')
    .filter((href) => !/^[a-z][a-z\d+.-]*:/i.test(href))
    .filter((href) => !leadsSomewhere(href, path))
    .map((href) => `${path}: ${href} leads nowhere`),
);
const listed = sidebar.flatMap(({ items }) => items.map(({ link }) => link));
const root = join(import.meta.dirname, '..');
for (const [path, html] of pages) {
  const link = path.replace(/(?:(?<=\/)index)?\.html$/, '');
  if (!listed.includes(link) && !/^\/(?:404|api\/.+)$/.test(link)) faults.push(`${path}: not in the sidebar`);
  if (html.includes(root)) faults.push(`${path}: names ${root}, a folder of this machine`);
}
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exitCode = 1;
} else {
  console.log(`${pages.size} pages, whose links and anchors are all there`);
}

function attributes(html, name) {
  return [...html.matchAll(new RegExp(`\\s${name}="([^"]*)"`, 'g'))].map(([, value]) =>
    value.replaceAll('&amp;', '&'),
  );
}

/** The file that a link leads to. */
function target(href, from) {
  const [path] = href.split('#');
  if (path === '') return from;
  const absolute = path.startsWith('/')
    ? `/${path.slice(base.length)}`
    : posix.join(posix.dirname(from), path);
  if (absolute.endsWith('/')) return `${absolute}index.html`;
  return pages.has(`${absolute}.html`) ? `${absolute}.html` : absolute;
}

function leadsSomewhere(href, from) {
  const file = target(href, from);
  const [, anchor = ''] = href.split('#');
  if (!pages.has(file)) return existsSync(join(folder, file));
  return anchor === '' || anchors.get(file).has(decodeURIComponent(anchor));
}
