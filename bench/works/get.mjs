import { origin } from '../servers/cors-policy.mjs';
import { requests } from './route-groups.mjs';

const getFrom = (maker) => ({
  server: { module: 'express', maker, options: { groups: 3 } },
  requests: requests('GET', 3, { Origin: origin }),
  answer: {
    status: 200,
    fields: {
      'access-control-allow-origin': origin,
      'access-control-expose-headers': /ETag.*Allow/,
      vary: /Origin/,
      'content-type': /json/,
    },
  },
});

export const get = {
  name: 'get',
  title: 'Actual requests',
  clients: 16,
  loads: { ours: getFrom('preflight'), cors: getFrom('recited') },
  alike: 'cors',
  rows: [{ work: 'GET with the CORS fields', ours: 'ours', beside: 'npm cors', other: 'cors', goal: 1.03 }],
};
