import { request } from 'node:http';

/** No server is measured failing: the first answers must have the status and the fields that the work is about. */
export async function assertAnswers(name, port, requests, answer) {
  for (const asked of [requests[0], requests[1], requests.at(-1)]) {
    const { status, headers } = await ask(port, asked);
    const wrong = Object.entries(answer.fields).filter(([field, value]) => !fits(headers[field], value));
    if (status === answer.status && wrong.length === 0) continue;
    const said = JSON.stringify({ status, ...headers }, undefined, 2);
    throw new Error(`${name} answers ${asked.method} ${asked.path} as it should not:\n${said}`);
  }
}

function fits(value, wanted) {
  return wanted instanceof RegExp ? wanted.test(value ?? '') : value === wanted;
}

function ask(port, { method, path, headers, body }) {
  return new Promise((resolve, reject) => {
    const req = request({ host: '127.0.0.1', port, method, path, headers, agent: false }, (res) => {
      res.resume();
      res.on('end', () => resolve({ status: res.statusCode, headers: res.headers }));
    });
    req.on('error', reject);
    req.end(body);
  });
}
