/**
 * Sends OPTIONS, a preflight, GET and PATCH to the README's server over a real socket: `node smoke.mjs server.mjs …`. It
 * needs nothing beyond Node, so that every release of Node can run it.
 */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { request, Server } from 'node:http';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';

for (const server of process.argv.slice(2)) await check(server);

async function check(file) {
  const server = await started(file);

  async function send(method, headers = {}, body = '') {
    const { port } = server.address();
    const sent = request({ host: '127.0.0.1', port, path: '/notes/1', method, headers, agent: false }).end(
      body,
    );
    const [res] = await once(sent, 'response');
    const text = (await res.toArray()).join('');
    return { status: res.statusCode, ...res.headers, text };
  }

  const origin = 'https://app.example';
  const patch = (etag, document) =>
    send(
      'PATCH',
      { 'If-Match': etag, 'Content-Type': 'application/merge-patch+json' },
      JSON.stringify(document),
    );

  const options = await send('OPTIONS');
  assert.equal(options.status, 200);
  assert.equal(options.allow, 'GET, HEAD, OPTIONS, PATCH');
  assert.equal(options['accept-patch'], 'application/json-patch+json, application/merge-patch+json');

  const preflight = await send('OPTIONS', { Origin: origin, 'Access-Control-Request-Method': 'PATCH' });
  assert.equal(preflight.status, 200);
  assert.equal(preflight['access-control-allow-origin'], origin);
  assert.equal(preflight['access-control-allow-methods'], 'GET, HEAD, OPTIONS, PATCH');

  const { etag, text } = await send('GET');
  assert.deepEqual(JSON.parse(text), { title: 'Buy milk', done: false });

  const patched = await patch(etag, { title: 'Buy oat milk' });
  assert.equal(patched.status, 204);
  assert.notEqual(patched.etag, etag);

  const late = await patch(etag, { title: 'Buy wine' });
  assert.equal(late.status, 412);
  assert.equal(late.etag, patched.etag);
  assert.equal(JSON.parse(late.text).code, 'precondition-failed');

  assert.deepEqual(JSON.parse((await send('GET')).text), { title: 'Buy oat milk', done: false });

  const refused = await send('DELETE');
  assert.equal(refused.status, 405);
  assert.equal(refused.allow, 'GET, HEAD, OPTIONS, PATCH');

  server.close();
  console.log(`Node ${process.version}, ${file}: right`);
}

/** The server asks for the port of the README; it gets a free one. */
async function started(file) {
  const { listen } = Server.prototype;
  const listening = new Promise((found) => {
    Server.prototype.listen = function () {
      found(once(this, 'listening').then(() => this));
      return listen.call(this, 0, '127.0.0.1');
    };
  });
  await import(pathToFileURL(resolve(file)).href);
  Server.prototype.listen = listen;
  return listening;
}
