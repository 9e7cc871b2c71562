import { contentCodings } from '../../lib/http/content-coding';

describe('RFC 9110 8.4: Content-Encoding = #content-coding', () => {
  test.each([
    { title: 'no field', field: undefined, codings: [] },
    { title: 'one', field: 'gzip', codings: ['gzip'] },
    { title: 'case does not matter, 8.4.1', field: 'GZip', codings: ['gzip'] },
    { title: 'several, in their order', field: 'gzip, br', codings: ['gzip', 'br'] },
    { title: 'an empty list', field: '', codings: [] },
    { title: 'empty elements, 5.6.1.2', field: ' , gzip,\t,', codings: ['gzip'] },
    { title: 'nothing but empty elements, 5.6.1.2', field: ',', codings: [] },
    { title: 'identity is none', field: 'identity', codings: [] },
    { title: 'identity with an empty element', field: 'identity,', codings: [] },
    { title: 'identity beside another', field: 'gzip, Identity', codings: ['gzip'] },
    { title: 'identity before another', field: 'identity, gzip', codings: ['gzip'] },
    { title: 'more empty elements than are reasonable', field: ','.repeat(20), codings: undefined },
  ])('$title', ({ field, codings }) => {
    expect(contentCodings(field)).toEqual(codings);
  });
});
