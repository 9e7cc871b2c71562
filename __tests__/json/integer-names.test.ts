/** Names of members that strangers choose: before Node 20.20.2 text that is an integer hashes alike in every process. */
import { applyJsonPatch } from '../../lib/json/patch/apply-json-patch';
import { applyKeyedMergePatch } from '../../lib/json/patch/apply-keyed-merge-patch';
import { readJson } from '../../lib/patch/formats/read-json';
import { applyMergePatch } from '../../lib/json/patch/apply-merge-patch';
import { changedPointers } from '../../lib/patch/rules/changed-pointers';
import { toFrozenJson } from '../../lib/stores/memory/frozen-json';

const names = Array.from({ length: 10 }, (_, i) => String(i * 65_536));
const document = Object.fromEntries(names.map((name) => [name, { [name]: 1 }]));
const text = JSON.stringify(document);
/** The same names, each of whose digits is an escape sequence. */
const escaped = text.replace(/(\d+)"/g, (_, digits: string) => `${digits.replace(/./g, escapeOf)}"`);

function escapeOf(digit: string): string {
  return `\\u00${digit.charCodeAt(0).toString(16)}`;
}

const changed = { ...document, 0: 2, 65_536: { 0: 1 } };

test.each([
  { what: 'reading', act: () => readJson(Buffer.from(text), 10) },
  { what: 'reading escape sequences', act: () => readJson(Buffer.from(escaped), 10) },
  { what: 'a merge patch', act: () => applyMergePatch(document, { ...document, 0: null }) },
  {
    what: 'a JSON Patch',
    act: () =>
      applyJsonPatch(
        document,
        names.map((name) => ({ op: 'add', path: `/${name}/${name}`, value: 2 })),
      ),
  },
  { what: 'what changes', act: () => changedPointers(document, changed) },
  { what: 'keeping a value', act: () => toFrozenJson(document) },
])('$what puts no name that is an integer into a Set or a Map', ({ act }) => {
  expect(integersGivenTo([...putting(), ...lookingUp()], act)).toEqual([]);
});

test('a keyed merge patch puts none, and looks names up among the paths of its options alone', () => {
  const list = names.map((id) => ({ id }));
  const act = () => applyKeyedMergePatch(list, document, { key: 'id', children: new Map() });
  expect(integersGivenTo(putting(), act)).toEqual([]);
});

function putting() {
  return [jest.spyOn(Set.prototype, 'add'), jest.spyOn(Map.prototype, 'set')];
}

function lookingUp() {
  return [
    jest.spyOn(Set.prototype, 'has'),
    jest.spyOn(Map.prototype, 'get'),
    jest.spyOn(Map.prototype, 'has'),
  ];
}

function integersGivenTo(spies: readonly jest.SpyInstance[], act: () => unknown): unknown[] {
  act();
  const keys = spies.flatMap((spy) => spy.mock.calls.map((given: readonly unknown[]) => given[0]));
  for (const spy of spies) spy.mockRestore();
  return keys.filter((key) => typeof key === 'string' && /^\d/.test(key));
}

test.each([
  { names: 'as they are', body: '{"65536":1,"65536":2}' },
  { names: 'once as an escape sequence', body: '{"65536":1,"\\u00365536":2}' },
  { names: 'with a quote in front', body: '{"\\"a":1,"\\"a":2}' },
])('a name that stands twice is found, $names', ({ body }) => {
  expect(() => readJson(Buffer.from(body), 10)).toThrow('has a duplicate member name');
});

test('a name with a quote in front is another', () => {
  expect(readJson(Buffer.from('{"\\"a":1,"a":2}'), 10)).toEqual({ '"a': 1, a: 2 });
});
