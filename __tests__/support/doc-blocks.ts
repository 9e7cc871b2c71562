/** The blocks of code of a page in Markdown that are in this language. */
export function blocksOf(page: string, language: string): string[] {
  const block = new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms');
  return [...page.matchAll(block)].map(([, text = '']) => text);
}

/** Those that are modules of their own, by the names that their first lines have. */
export function modulesOf(page: string): Map<string, string> {
  const blocks = [...blocksOf(page, 'ts'), ...blocksOf(page, 'tsx')];
  return new Map(
    blocks.flatMap((text) => {
      const [, name] = /^\/\/ ([\w.-]+\.tsx?)\n/.exec(text) ?? [];
      return name === undefined ? [] : [[name, text] as const];
    }),
  );
}
