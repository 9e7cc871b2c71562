import { answersIn } from './answers';

const statuses = (text: string, mayLackBodies = false): readonly number[] | undefined =>
  answersIn(text, mayLackBodies)?.map(({ status }) => status);

test.each<[string, string, readonly number[]]>([
  ['nothing', '', []],
  ['no body', 'HTTP/1.1 204 No Content\r\nETag: "1"\r\n\r\n', [204]],
  ['a body of a length', 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}', [200]],
  ['a body in chunks', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n0\r\n\r\n', [200]],
  ['a body that ends with the connection', 'HTTP/1.1 400 Bad Request\r\nConnection: close\r\n\r\nx', [400]],
  ['two, the first interim', 'HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 204 No Content\r\n\r\n', [100, 204]],
])('well-formed: %s', (_title, text, expected) => {
  expect(statuses(text)).toEqual(expected);
});

test.each<[string, string]>([
  ['no answer', 'hello'],
  ['a status of two digits', 'HTTP/1.1 20 OK\r\n\r\n'],
  ['a field without a colon', 'HTTP/1.1 204 No Content\r\nx\r\n\r\n'],
  ['a field with a control character', 'HTTP/1.1 204 No Content\r\nx: a\0b\r\n\r\n'],
  ['a bare line feed', 'HTTP/1.1 204 No Content\r\nx: a\nb: c\r\n\r\n'],
  ['two lengths', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 2\r\n\r\n{}'],
  [
    'a length and chunks',
    'HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
  ],
  ['less than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\n{}'],
  ['more than its length', 'HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\n{}'],
  ['chunks that do not end', 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n'],
  ['a body where there is none', 'HTTP/1.1 204 No Content\r\n\r\n{}'],
])('not well-formed: %s', (_title, text) => {
  expect(statuses(text)).toBeUndefined();
});

test('where HEAD was asked, a length without a body', () => {
  const text = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nHTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\n{}';
  expect(statuses(text, true)).toEqual([200, 200]);
  expect(statuses(text)).toBeUndefined();
});
