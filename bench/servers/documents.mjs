/** JSON documents to be patched, by size; no container in them has more than 100 children. */
export const documents = {
  '1 KB': note,
  '1 MB': (id) => ({
    id,
    folders: Array.from({ length: 40 }, (_, folder) => ({
      name: `folder ${folder}`,
      notes: Array.from({ length: 25 }, (_, index) => note(`${folder}-${index}`)),
    })),
  }),
};

function note(id) {
  return {
    id: String(id),
    title: 'A note',
    body: 'Some text that a note might have, of a sentence or two. '.repeat(13),
    tags: ['one', 'two', 'three', 'four'],
    author: { id: 1, name: 'Ann', address: { street: 'Main Street 1', city: 'Town', zip: '12345' } },
    reviewers: [
      { id: 2, name: 'Bob', approved: true },
      { id: 3, name: 'Eve', approved: false },
    ],
    createdAt: '2024-01-01T00:00:00Z',
    revision: 12,
  };
}
