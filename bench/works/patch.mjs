/** PATCH requests over many keys; each time that a key comes round, it gets another title. */
export function patches(keys, patch, count = 10 * keys) {
  return Array.from({ length: count }, (_, i) => ({
    method: 'PATCH',
    path: `/notes/${i % keys}`,
    headers: { 'Content-Type': 'application/json-patch+json' },
    body: JSON.stringify(patch(`title ${i}`)),
  }));
}

const twoOperations = (title) => [
  { op: 'replace', path: '/title', value: title },
  { op: 'replace', path: '/author/address/city', value: `City of ${title}` },
];
/** One list for all works: works that run in this process would have the garbage collector mark a list of each. */
export const twoOperationsEach = patches(1_000, twoOperations);

const oneOperation = (title) => [{ op: 'replace', path: '/folders/20/notes/12/title', value: title }];

const patched = { status: 204, fields: { etag: /^"/ } };

const small = (maker, answer = patched) => ({
  server: { module: 'memory', maker, options: { document: '1 KB', keys: 1_000 } },
  requests: twoOperationsEach,
  answer,
});

export const patch = {
  name: 'patch',
  title: 'JSON Patch over MemoryStore',
  clients: 16,
  loads: {
    ours: small('ours'),
    'hand-written': small('handWritten'),
    reader: small('reader', { status: 204, fields: {} }),
    traced: small('traced'),
    'ours 1 MB': {
      server: { module: 'memory', maker: 'ours', options: { document: '1 MB', keys: 32 } },
      requests: patches(32, oneOperation),
      answer: patched,
    },
  },
  alike: 'hand-written',
  rows: [
    {
      work: 'JSON Patch, 1 KB document, 2 operations, MemoryStore',
      ours: 'ours',
      beside: 'hand-written Express 5 route',
      other: 'hand-written',
      goal: 1,
    },
    {
      work: 'JSON Patch, 1 KB document, 2 operations, MemoryStore',
      ours: 'ours',
      beside: 'Express route that only reads the body',
      other: 'reader',
      goal: 1.3,
    },
    {
      work: 'JSON Patch, 1 KB document, 2 operations, MemoryStore, with a subscriber of patch-options:patch',
      ours: 'traced',
      beside: 'our own, without one',
      other: 'ours',
      goal: 1.05,
    },
    {
      work: 'JSON Patch, 1 MB document, 1 operation, MemoryStore',
      ours: 'ours 1 MB',
      beside: 'our own, 1 KB document',
      other: 'ours',
      goal: 1.25,
    },
  ],
};
