import mongoose from 'mongoose';
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { end, freePort, startServer } from './server-process.mjs';

/**
 * The machine's mongod, else SecantusDB: a replica set of one node, for transactions and retryable writes, in which tests can make
 * commands fail (`failCommand`).
 */
export async function keepMongodb(folder) {
  const port = await freePort();
  const files = join(folder, 'data');
  await mkdir(files);
  const startNode = spawnSync('mongod', ['--version']).status === 0 ? startMongod : startSecantusdb;
  let server;
  return {
    urls: [`mongodb://127.0.0.1:${port}/`],
    async start() {
      server = await startNode(String(port), files);
    },
    stop: () => end(server, 'SIGTERM'),
    kill: () => end(server, 'SIGKILL'),
  };
}

async function startMongod(port, files) {
  const listen = ['--bind_ip', '127.0.0.1', '--port', port, '--dbpath', files];
  const set = ['--replSet', 'rs0', '--setParameter', 'enableTestCommands=1'];
  const server = await startServer('mongod', [...listen, ...set], /Waiting for connections/);
  await initiate(`127.0.0.1:${port}`);
  return server;
}

/** Makes the server a replica set, unless its files say that it is one. */
async function initiate(host) {
  const client = new mongoose.mongo.MongoClient(`mongodb://${host}/?directConnection=true`);
  try {
    await client.db('admin').command({ replSetInitiate: { _id: 'rs0', members: [{ _id: 0, host }] } });
  } catch (error) {
    if (error.codeName !== 'AlreadyInitialized') throw error;
  } finally {
    await client.close();
  }
}

function startSecantusdb(port, files) {
  const command = process.env.SECANTUSDB;
  if (!existsSync(command)) throw new Error(`There is no mongod, and no ${command}: run .ci/secantusdb`);
  const listen = ['--host', '127.0.0.1', '--port', port, '--storage-path', files];
  return startServer(command, [...listen, '--enable-test-commands'], /listening on/);
}
