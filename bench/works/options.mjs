import { requests } from './route-groups.mjs';

const allMethods = /^(?=.*\bGET\b)(?=.*\bHEAD\b)(?=.*\bPUT\b)(?=.*\bPATCH\b)(?=.*\bDELETE\b)/;

const optionsTo = (maker) => ({
  server: { module: 'express', maker, options: { groups: 3 } },
  requests: requests('OPTIONS', 3, {}),
  answer: { status: 200, fields: { allow: allMethods } },
});

export const options = {
  name: 'options',
  title: 'Plain OPTIONS',
  clients: 16,
  loads: {
    ours: optionsTo('computed'),
    listener: optionsTo('listener'),
    'built-in': optionsTo('builtIn'),
  },
  alike: 'built-in',
  rows: [
    {
      work: 'OPTIONS with computed Allow, through Express',
      ours: 'ours',
      beside: "Express's own answer",
      other: 'built-in',
      goal: 0.85,
    },
    {
      work: 'OPTIONS with computed Allow, optionsListener',
      ours: 'listener',
      beside: "Express's own answer",
      other: 'built-in',
      goal: 0.25,
    },
  ],
};
