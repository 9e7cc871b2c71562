/**
 * What publint and "Are the types wrong?" find in a tarball: `node lint-tarball.mjs package.tgz` writes
 * `{ problems, resolved }`, the latter with the kinds of resolution that find types, for each entry point.
 */
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const tarball = await readFile(process.argv[2]);

const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
const { problems = ['There are no types.'], entrypoints = {} } = await checkPackage(
  createPackageFromTarballData(tarball),
);
const resolved = Object.entries(entrypoints).map(([name, { resolutions }]) => {
  const found = Object.values(resolutions).filter(({ resolution }) => resolution?.isTypeScript);
  return [name, found.map(({ resolutionKind }) => resolutionKind)];
});
console.log(
  JSON.stringify({
    problems: [...messages.map((message) => formatMessage(message, pkg)), ...problems],
    resolved: Object.fromEntries(resolved),
  }),
);
