import { nearestName } from '../../lib/config/nearest-name';

const options = ['origin', 'allowedHeaders', 'exposedHeaders', 'maxAge'];
const rules = ['https://app.example.com', 'https://*.example.org', 'http://localhost:3000', 'app://.'];

test.each([
  { written: 'orgin', known: options, nearest: 'origin' },
  { written: 'allowHeaders', known: options, nearest: 'allowedHeaders' },
  { written: 'ORIGIN', known: options, nearest: 'origin' },
  { written: 'exposedHeader', known: options, nearest: 'exposedHeaders' },
  { written: 'x', known: options, nearest: undefined },
  { written: 'preflightContinue', known: options, nearest: undefined },
  { written: 'origin', known: [], nearest: undefined },

  { written: 'http://app.example.com', known: rules, nearest: 'https://app.example.com' },
  { written: 'https://app.example.com:8443', known: rules, nearest: 'https://app.example.com' },
  { written: 'https://App.example.com', known: rules, nearest: 'https://app.example.com' },
  { written: 'https://app.examlpe.com', known: rules, nearest: 'https://app.example.com' },
  { written: 'https://example.org', known: rules, nearest: 'https://*.example.org' },
  { written: 'http://a.example.org', known: rules, nearest: 'https://*.example.org' },
  { written: 'http://localhost:5173', known: rules, nearest: 'http://localhost:3000' },
  { written: 'app://', known: rules, nearest: 'app://.' },
  { written: 'https://my-shop-on-a-platform.vercel.app', known: rules, nearest: undefined },
  { written: 'null', known: rules, nearest: undefined },
])('$written is nearest to $nearest', ({ written, known, nearest }) => {
  expect(nearestName(written, known)).toBe(nearest);
});

test('of two that are as near, the first', () => {
  expect(nearestName('b', ['a', 'c'])).toBe('a');
});
