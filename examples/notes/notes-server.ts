import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { join } from 'node:path';
import { explainCors, type CorsQuestion } from 'patch-options/explain';
import { ExchangeRecorder } from './exchange-recorder';
import { notesApp } from './notes-app';
import { openNotes } from './notes-store';
import { ownHost } from './own-host';
import { pageApp } from './page-server';

const port = Number(process.env.PORT ?? 3000);
const data = process.env.NOTES_DATA ?? join(__dirname, '../../data');
const folders = [join(__dirname, '../../notes/page/static'), join(__dirname, '../browser')];

async function start(): Promise<void> {
  const { notes, list, close } = await openNotes(process.env, data);
  if ((await list()).length === 0)
    await notes.replace('1', null, { id: '1', title: 'Buy milk', tags: ['home'] });

  const beside: { page?: string } = {};
  // The page of the example app has one of these origins.
  const origin = ['https://app.example', 'http://localhost:*', 'http://127.0.0.1:*'];
  const app = notesApp({ notes, list, origin, page: () => beside.page });
  const explain = (question: CorsQuestion) => explainCors(app, question);
  const recorder = new ExchangeRecorder(explain);

  const server = createServer(ownHost(['127.0.0.1', 'localhost'], recorder.watch(app)));
  try {
    await listen(server, port);
  } catch (error) {
    await close();
    if (!isPortInUse(error)) throw error;
    // The next port may be taken by the page of another instance of this example.
    console.error(
      `Port ${port} is already in use. Stop the process that uses it, or choose another port: PORT=${port + 2} npm start`,
    );
    process.exitCode = 1;
    return;
  }
  const api = readAddress(server);
  const page = await startPage(
    pageApp({ api, recorder, explain, folders }),
    Number(process.env.PAGE_PORT ?? port + 1),
  );
  if (page !== undefined) beside.page = readAddress(page);
  console.log(greeting(api, beside.page));

  for (const signal of ['SIGTERM', 'SIGINT'] as const) {
    process.once(signal, () => {
      page?.close();
      // Its event streams would never end by themselves.
      page?.closeAllConnections();
      server.close(() => void close());
    });
  }
}

/** If the port of the page is taken, the API runs without the page. */
async function startPage(app: ReturnType<typeof pageApp>, pagePort: number): Promise<Server | undefined> {
  const server = createServer(ownHost(['127.0.0.1', 'localhost', 'stranger.localhost'], app));
  try {
    await listen(server, pagePort);
    return server;
  } catch (error) {
    const reason = isPortInUse(error) ? `Port ${pagePort} is already in use.` : String(error);
    console.error(`${reason} The API runs without its page. To choose another port: PAGE_PORT=… npm start`);
    return undefined;
  }
}

async function listen(server: Server, wanted: number): Promise<void> {
  server.listen(wanted, '127.0.0.1');
  await once(server, 'listening');
}

function readAddress(server: Server): string {
  const address = server.address();
  const given = typeof address === 'object' ? address?.port : undefined;
  return `http://127.0.0.1:${given ?? ''}`;
}

function isPortInUse(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
}

function greeting(api: string, page: string | undefined): string {
  const seen = page === undefined ? '' : `Open ${page} to see it in a browser.\n`;
  return `The notes API is listening on ${api}
${seen}
Or try:

  curl -i -X OPTIONS ${api}/notes/1
  curl -i -X OPTIONS ${api}/notes/1 -H 'Origin: https://app.example' -H 'Access-Control-Request-Method: PATCH'
  curl -i -X PATCH ${api}/notes/1 -H 'Content-Type: application/merge-patch+json' -d '{"title":"Buy oat milk"}'
`;
}

start().catch((error: unknown) => {
  console.error('The notes API failed to start:', error);
  process.exit(1);
});
