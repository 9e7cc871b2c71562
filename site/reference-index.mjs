/** The index of the API reference: for each entry point, its exports by subject, each with the first sentence of its comment. */
import { readFileSync } from 'node:fs';
import { ReflectionKind } from 'typedoc';

const folders = new Map([
  [ReflectionKind.Function, 'functions'],
  [ReflectionKind.Class, 'classes'],
  [ReflectionKind.Interface, 'interfaces'],
  [ReflectionKind.TypeAlias, 'type-aliases'],
  [ReflectionKind.Variable, 'variables'],
]);

/**
 * The subjects of an entry point, as the comments of its index.ts name them, with the names of their exports.
 *
 * @returns `[{ title: 'CORS', names: ['corsPreflight', …] }, …]`; one without a title where there are no such comments
 */
function subjectsIn(source) {
  const parts = readFileSync(source, 'utf8').split(/^\/\/ (.*)\.$/m);
  const [before, ...titled] = parts;
  const named = (text) =>
    [...text.matchAll(/^export (?:type )?\{([^}]*)\}/gms)]
      .flatMap(([, names]) => names.split(','))
      .map((name) => name.replace(/^\s*(?:type )?(?:\w+ as )?/, '').trim())
      .filter((name) => name !== '');
  const subjects = [{ title: undefined, names: named(before) }];
  for (let at = 0; at < titled.length; at += 2)
    subjects.push({ title: titled[at], names: named(titled[at + 1]) });
  return subjects.filter(({ names }) => names.length > 0);
}

/** The first sentence of the comment of an export, as Markdown. */
function summaryOf(reflection) {
  const comment = reflection.comment ?? reflection.signatures?.findLast((each) => each.comment)?.comment;
  const text = (comment?.summary ?? []).map((part) => part.text).join('');
  const [, sentence = text] = /^(.*?[.:])(?:\s|$)/s.exec(text) ?? [];
  return sentence.replaceAll(/\s+/g, ' ').replace(/:$/, '.').trim();
}

/** @returns the Markdown of an entry point's index, with links relative to `prefix` */
export function indexOf(module, source, prefix, level) {
  const exports = new Map(module.children.map((each) => [each.name, each]));
  const lines = subjectsIn(source).flatMap(({ title, names }) => [
    ...(title === undefined ? [] : [`${'#'.repeat(level)} ${title}`, '']),
    ...names.map((name) => lineFor(name, exports.get(name), module, prefix)),
    '',
  ]);
  return lines.join('\n');
}

function lineFor(name, exported, module, prefix) {
  if (exported === undefined) throw new Error(`${module.name}: TypeDoc has no export ${name}`);
  const target = exported.kindOf(ReflectionKind.Reference) ? exported.getTargetReflectionDeep() : exported;
  const owner = target.parent?.name ?? module.name;
  const folder = folders.get(target.kind);
  if (folder === undefined) throw new Error(`${module.name}: ${name} is of an unknown kind`);
  return `- [\`${name}\`](${prefix}${owner}/${folder}/${target.name}.md): ${summaryOf(target)}`;
}
