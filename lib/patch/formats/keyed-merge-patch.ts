import { hasNames } from '../../config/object';
import { OptionsCheck } from '../../config/options-check';
import { applyKeyedMergePatch, type KeyedListTree } from '../../json/patch/apply-keyed-merge-patch';
import { parsePointer } from '../../json/pointer';
import { assertSameKind } from './merge-patch';
import { ownParser, type PatchParser } from './patch-parser';
import { readJson } from './read-json';
import { assertMergeReachable } from './refuse-hidden';

/**
 * Creates a parser of keyed merge patches, `application/vnd.patch-options.keyed-merge+json`, for
 * `patchHandler` or `resource`: merge patches (RFC 7396) on a view of the resource in which lists are
 * objects, whose members are the elements by their keys. Two clients who change different elements do not
 * conflict, and no client has to name a position.
 *
 * `{ "items": { "42": { "done": true }, "43": null }, "tags": { "home": true } }` changes the element 42,
 * removes 43, and adds a tag. A missing element is created if its key is sent, as in `"44": { "id": 44 }`;
 * otherwise the answer is 409. New elements are appended: numbers by value, then texts by their code units.
 *
 * @param elements - the lists, as JSON Pointers in which `*` stands for any element or member, each with the
 *   member that identifies its elements, or `'self'` for a list of strings
 * @throws ConfigurationError
 *
 * @example
 * ```ts
 * const byKey = keyedMergePatch({ '/items': 'id', '/items/*\/labels': 'name', '/tags': 'self' });
 * app.patch('/boards/:id', patchHandler(notes, [byKey, mergePatch()], { key: 'id' }));
 * ```
 */
export function keyedMergePatch(elements: Readonly<Record<string, string>>): PatchParser {
  const lists = compileLists(elements);
  return ownParser({
    mediaType: 'application/vnd.patch-options.keyed-merge+json',
    parse(document, { limits, hidden }) {
      const patch = readJson(document, limits.depth);
      return (current, originals) => {
        if (lists.key === undefined) assertSameKind(patch, current);
        assertMergeReachable(hidden, patch, current);
        return applyKeyedMergePatch(current, patch, lists, originals);
      };
    },
  });
}

const example = "Write the lists, such as { '/items': 'id', '/tags': 'self' }.";

function compileLists(elements: Readonly<Record<string, string>>): KeyedListTree {
  const check = new OptionsCheck('keyedMergePatch()');
  const root: KeyedListTree = { children: new Map() };
  const lists = hasNames(elements) ? Object.entries<unknown>(elements) : [];
  if (lists.length === 0) {
    const code = hasNames(elements) ? 'option-empty' : 'option-type';
    const reason = hasNames(elements) ? 'names no list' : 'must be an object';
    check.mistake('elements', elements, { code, reason, fix: example });
  }
  for (const [pointer, key] of lists) {
    const tokens = parsePointer(pointer)?.tokens;
    if (tokens === undefined) {
      const fix = "Write it as in RFC 6901, such as '/items'; * stands for any element or member.";
      check.mistake('elements', pointer, {
        code: 'json-pointer-invalid',
        reason: 'is not a JSON Pointer',
        fix,
      });
    } else if (typeof key !== 'string' || key === '') {
      const fix = "Write a member such as 'id', or 'self' for a list of strings.";
      const reason = 'must be the name of a member';
      check.mistake(`elements['${pointer}']`, key, { code: 'option-type', reason, fix });
    } else {
      listAt(root, tokens).key = key;
    }
  }
  for (const [pointer] of lists) checkAbove(root, pointer, check);
  check.done();
  return root;
}

function checkAbove(root: KeyedListTree, pointer: string, check: OptionsCheck): void {
  const tokens = parsePointer(pointer)?.tokens ?? [];
  let node: KeyedListTree | undefined = root;
  for (const [depth, token] of tokens.entries()) {
    const issue = findIssueBelow(node?.key, tokens.slice(depth));
    if (issue !== undefined) {
      check.mistake('elements', pointer, { code: 'option-conflict', isName: true, ...issue });
      return;
    }
    node = token === '*' ? node?.any : node?.children.get(token);
  }
}

/** Lists below an element are possible only if the element is an object, and not its key. */
function findIssueBelow(key: string | undefined, [, member]: readonly string[]) {
  if (key === 'self') {
    const fix = 'Leave it out, or name the member that identifies the elements of the list above.';
    return { reason: 'is below a list of strings', fix };
  }
  const fix = "Leave it out, or write the lists in its elements, such as '/items/*/labels'.";
  if (key !== undefined && member === undefined) return { reason: 'is an element of a list with keys', fix };
  if (key !== undefined && member === key) return { reason: 'is the key of an element', fix };
  return undefined;
}

function listAt(root: KeyedListTree, tokens: readonly string[]): KeyedListTree {
  let node = root;
  for (const token of tokens) {
    const known = token === '*' ? node.any : node.children.get(token);
    const next = known ?? { children: new Map<string, KeyedListTree>() };
    if (token === '*') node.any = next;
    else node.children.set(token, next);
    node = next;
  }
  return node;
}
