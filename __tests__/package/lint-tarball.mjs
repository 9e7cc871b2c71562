/** What publint and "Are the types wrong?" find in a tarball, as a JSON list: `node lint-tarball.mjs package.tgz`. */
import { readFile } from 'node:fs/promises';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';

const tarball = await readFile(process.argv[2]);

const { messages, pkg } = await publint({ pack: { tarball }, strict: true });
const { problems = ['There are no types.'] } = await checkPackage(createPackageFromTarballData(tarball));
console.log(JSON.stringify([...messages.map((message) => formatMessage(message, pkg)), ...problems]));
