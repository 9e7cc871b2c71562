/** Where a mounted router stands: told without reading what is left of the URL again. */
import { routerUrl, urlBelow, trim } from '../../lib/express/url';
import { times } from '../support/deep-scale';
import { fc } from '../support/properties';

const rules = fc.record({ endsBeforeDot: fc.boolean(), keepsRewritten: fc.boolean() });
const part = fc.constantFrom(
  '/',
  '/a',
  '//',
  'b',
  '.',
  '%41',
  '%',
  '?',
  '?q',
  '#',
  'é',
  ' ',
  ':',
  'http://h',
);
const url = fc.array(part, { maxLength: 8 }).map((parts) => parts.join(''));

test('it is what reading the URL of the router tells', () => {
  let below = 0;
  const property = fc.property(url, fc.nat(12), rules, (text, length, mounts) => {
    const at = routerUrl(text);
    const trimmed = trim(at, (at.path ?? '').slice(0, length), mounts);
    if (at.path === undefined || trimmed === undefined) return;
    below++;
    expect(urlBelow(at, trimmed)).toEqual(routerUrl(trimmed.url));
  });
  const numRuns = times(1_250, 500_000);
  fc.assert(property, { numRuns });
  expect(below).toBeGreaterThan(numRuns / 4);
});
