/** Three requests while each subscriber throws; prints the answers, and how often Node called the process to account. */
import { tracingChannel } from 'node:diagnostics_channel';
import { once } from 'node:events';
import express from 'express';
import { corsPreflight, mergePatch, MemoryStore, resource } from '../../lib';
import { portOf } from '../support/serving';

let uncaught = 0;
process.on('uncaughtException', () => uncaught++);
const fail = (): never => {
  throw new Error('the subscriber');
};
const requests = tracingChannel('patch-options:patch');
requests.subscribe({ start: fail, end: fail, asyncStart: fail, asyncEnd: fail, error: fail });
tracingChannel('patch-options:preflight').end.subscribe(fail);

async function main(): Promise<void> {
  const notes = new MemoryStore();
  await notes.replace('1', null, { title: 'a' });
  const note = resource(notes, [mergePatch()], { key: 'id' });
  const app = express().use(corsPreflight());
  app.route('/notes/:id').patch(note.patch);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const url = `http://127.0.0.1:${portOf(server)}/notes/`;
  const headers = { 'content-type': 'application/merge-patch+json' };
  const statuses: number[] = [];
  for (const key of ['1', '2']) {
    const answer = await fetch(url + key, { method: 'PATCH', headers, body: '{"title":"b"}' });
    statuses.push(answer.status);
  }
  const asking = { origin: 'https://app.example', 'access-control-request-method': 'PATCH' };
  const preflight = await fetch(`${url}1`, { method: 'OPTIONS', headers: asking });
  server.close();
  server.closeAllConnections();
  console.log(JSON.stringify({ statuses, preflight: preflight.ok, uncaught }));
}

void main();
