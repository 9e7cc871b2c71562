import { parseMediaType } from '../../lib/http/media-type';
import { growth, maxLinear } from '../support/growth';

const type = 'application/merge-patch+json';
const utf8 = { charset: 'utf-8' };

interface Row {
  readonly field: string;
  readonly parameters: Readonly<Record<string, string>>;
}

describe('RFC 9110 8.3.1: media-type = type "/" subtype parameters', () => {
  test.each<Row>([
    { field: type, parameters: {} },
    { field: 'Application/MERGE-patch+json', parameters: {} },
    { field: `${type};charset=utf-8`, parameters: utf8 },
    { field: `${type} ; charset=utf-8 `, parameters: utf8 },
    { field: `${type}\t;\tCharset=utf-8`, parameters: utf8 },
    { field: `${type}; charset="utf-8"`, parameters: utf8 },
    { field: `${type}; charset="utf\\-8"`, parameters: utf8 },
    { field: `${type}; a="x;y, \\"z\\"\t"; b=2`, parameters: { a: 'x;y, "z"\t', b: '2' } },
    { field: `${type}; a=""`, parameters: { a: '' } },
    { field: `${type}; a="\u00e9"`, parameters: { a: '\u00e9' } },
    { field: `${type}; a=1; A=2`, parameters: { a: '2' } },
    { field: `${type}; __proto__=1; constructor=2`, parameters: { ['__proto__']: '1', constructor: '2' } },
    // 2.4: a recipient may recover what is meant.
    { field: `${type}; charset = utf-8`, parameters: utf8 },
    { field: ` ${type} `, parameters: {} },
  ])('$field', ({ field, parameters }) => {
    const found = parseMediaType(field);
    expect(found?.type).toBe(type);
    expect(Object.entries(found?.parameters ?? {})).toEqual(Object.entries(parameters));
  });
});

describe('RFC 9110 5.6.6: parameters = *( OWS ";" OWS [ parameter ] )', () => {
  test.each<Row>([
    { field: `${type};`, parameters: {} },
    { field: `${type}; `, parameters: {} },
    { field: `${type} ;`, parameters: {} },
    { field: `${type};;;`, parameters: {} },
    { field: `${type}; ;charset=utf-8`, parameters: utf8 },
    { field: `${type};charset=utf-8;`, parameters: utf8 },
    { field: `${type};charset=utf-8\t; ;\t`, parameters: utf8 },
    { field: `${type}; a="1;";; charset=utf-8`, parameters: { a: '1;', ...utf8 } },
  ])('empty parameters count for nothing: "$field"', ({ field, parameters }) => {
    expect(parseMediaType(field)).toEqual({ type, parameters });
  });
});

describe('What is not a media type', () => {
  test.each([
    undefined,
    '',
    ';',
    'json',
    'application/',
    '/json',
    'application/a b',
    `${type}, ${type}`,
    `${type} charset=utf-8`,
    `${type}; charset`,
    `${type}; charset=`,
    `${type}; =utf-8`,
    `${type}; charset=utf-8 x`,
    `${type}; charset="utf-8`,
    `${type}; charset="utf-8"x`,
    `${type}; a="\u0001"`,
    `${type}; a=\u00e9`,
    `${type}; a="\u0100"`,
    `${type}\u00a0`,
  ])('%j', (field) => {
    expect(parseMediaType(field)).toBeUndefined();
  });

  test.each([' ', ';', '; ', ' ;', '\t;a="', ';a="\\', ';a=a', ' ='])('many %j take one pass', (more) => {
    const read = (times: number) => parseMediaType(`${type}${more.repeat(times)}\u0000`);
    expect(read(10_000)).toBeUndefined();
    expect(growth(1_000, read)).toBeLessThan(maxLinear);
  });
});
