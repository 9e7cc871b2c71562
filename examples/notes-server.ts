import { createServer } from 'node:http';
import { join } from 'node:path';
import { notesApp } from './notes-app';
import { openNotes } from './notes-store';

const port = Number(process.env.PORT ?? 3000);
const data = process.env.NOTES_DATA ?? join(__dirname, '..', 'data');

async function start(): Promise<void> {
  const { notes, list, close } = await openNotes(process.env, data);
  if ((await list()).length === 0)
    await notes.replace('1', null, { id: '1', title: 'Buy milk', tags: ['home'] });

  const origin = ['https://app.example', 'http://localhost:*', 'http://127.0.0.1:*'];
  const server = createServer(notesApp({ notes, list, origin }));
  server.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error;
    console.error(
      `Port ${port} is in use: stop what runs there, or choose another, PORT=${port + 1} npm start`,
    );
    process.exitCode = 1;
    void close();
  });
  server.listen(port, '127.0.0.1', () => {
    console.log(greeting(`http://127.0.0.1:${port}`));
  });

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      server.close(() => void close());
    });
  }
}

function greeting(address: string): string {
  return `The notes API listens on ${address}. Try:

  curl -i -X OPTIONS ${address}/notes/1
  curl -i -X OPTIONS ${address}/notes/1 -H 'Origin: https://app.example' -H 'Access-Control-Request-Method: PATCH'
  curl -i -X PATCH ${address}/notes/1 -H 'Content-Type: application/merge-patch+json' -d '{"title":"Buy oat milk"}'
`;
}

start().catch((error: unknown) => {
  console.error('The notes API could not start:', error);
  process.exit(1);
});
