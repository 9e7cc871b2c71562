import { regExpFault } from '../../lib/cors/regexp-fault';

test.each([
  /^https:\/\/a\.example$/,
  /^https:\/\/(?:a|b)\.example$/,
  /^https:\/\/a\.example$|^https:\/\/b\.example$/,
  /^https:\/\/[a-z|$(]+\.example$/i,
  /^https:\/\/[\]a]\.example$/,
  /^$/,
])('%p decides on whole origins', (pattern) => {
  expect(regExpFault(pattern)).toBeUndefined();
});

test.each([
  [/example\.com$/],
  [/^https:\/\/example/],
  [/^a|b$/],
  [/^a$|b$/],
  [/^a|^b$/],
  [/^a\$/],
  [/^a[$]/],
  [/^a(?:b$)/],
  [/(?:^a$)/],
  [/^a\\\$/i],
  [/^a$|/],
  [new RegExp('^[a[$]]$|b', 'v')],
])('%p is not anchored at both ends', (pattern) => {
  const fault = regExpFault(pattern);
  expect(fault?.reason).toMatch(/not anchored/);
  expect(fault?.fix).toContain(`/^(?:${pattern.source})$/${pattern.flags}`);
});

test.each([
  [/^a$/g, /flag g/, '/^a$/.'],
  [/^a$/iy, /flag y/, '/^a$/i.'],
  [/^a$/m, /flag m/, '/^a$/.'],
])('%p has a flag that makes it say another thing', (pattern, reason, fix) => {
  expect(regExpFault(pattern)).toEqual({
    reason: expect.stringMatching(reason) as string,
    fix: expect.stringContaining(fix) as string,
  });
});
