import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { githubSlug, linksAsOnGithub } from './links.mjs';
import { searchOptions } from './search.mjs';
import { referenceSidebars, sidebar } from './sidebar.mjs';
import { writeTexts } from './texts.mjs';

const { resolve } = createRequire(import.meta.url);
const root = join(import.meta.dirname, '../..');
const { description, repository } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
const github = repository.url.replace(/^git\+|\.git$/g, '');
/** That of the project's GitHub Pages. */
const base = `/${github.split('/').at(-1)}/`;

/** Where a page of the repository is on the site. */
const toSitePath = (page) =>
  ({ 'README.md': 'index.md', 'CHANGELOG.md': 'changelog.md', 'bench/RESULTS.md': 'bench/results.md' })[
    page
  ] ?? page.replace(/^docs\/|^site\/(?=api\/)/, '');

/** A build asks for each block of code three times, for its page and for the search: that is most of what Markdown costs. */
const highlighted = new Map();

const memoized =
  (highlight) =>
  (...block) => {
    const key = JSON.stringify(block);
    if (!highlighted.has(key)) highlighted.set(key, highlight(...block));
    return highlighted.get(key);
  };

export default defineConfig({
  title: 'patch-options',
  description,
  base,
  cleanUrls: true,
  // In place of a copy of all sidebars in each page.
  metaChunk: true,
  lastUpdated: false,
  // The pages are where they are on GitHub: README.md, CHANGELOG.md, docs/ and bench/RESULTS.md; and what reference.mjs writes.
  srcDir: root,
  outDir: join(import.meta.dirname, '../dist'),
  cacheDir: join(import.meta.dirname, '../node_modules/.cache/vitepress'),
  srcExclude: ['__tests__/**', 'dist/**', 'examples/**', 'lib/**', 'site/dist/**'],
  rewrites: toSitePath,
  head: [['link', { rel: 'icon', type: 'image/svg+xml', href: `${base}favicon.svg` }]],
  // The reference is made of the comments in lib/: there is no page to edit.
  transformPageData: ({ relativePath }) =>
    relativePath.startsWith('api/') ? { frontmatter: { editLink: false } } : undefined,
  buildEnd: ({ outDir, pages }) => {
    const sources = pages.map((source) => ({ source, path: toSitePath(source) }));
    const isPage = ({ source }) => !source.startsWith('site/');
    const site = `https://${github.split('/').at(-2)}.github.io${base}`;
    writeTexts({
      ...{ root, outDir, groups: sidebar, title: 'patch-options', description, site, github },
      pages: sources.filter(isPage),
    });
  },
  markdown: {
    anchor: { slugify: githubSlug },
    config(markdown) {
      markdown.use(linksAsOnGithub, { root, github, toSitePath });
      markdown.options.highlight = memoized(markdown.options.highlight);
    },
  },
  vite: {
    publicDir: join(import.meta.dirname, '../public'),
    // They are imported from pages outside of this folder.
    resolve: {
      alias: [
        { find: /^vue$/, replacement: resolve('vue/dist/vue.runtime.esm-bundler.js') },
        { find: /^vue\/server-renderer$/, replacement: resolve('vue/server-renderer') },
      ],
    },
    build: { chunkSizeWarningLimit: 5_000 },
  },
  themeConfig: {
    nav: [
      { text: 'Getting started', link: '/getting-started' },
      { text: 'API reference', link: '/api/' },
      { text: 'Changelog', link: '/changelog' },
    ],
    sidebar: { ...referenceSidebars(join(import.meta.dirname, '../api')), '/': sidebar },
    outline: [2, 3],
    search: {
      provider: 'local',
      options: { miniSearch: { searchOptions } },
    },
    socialLinks: [{ icon: 'github', link: github }],
    editLink: { pattern: `${github}/edit/main/:path` },
  },
});
