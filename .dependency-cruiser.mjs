import { existsSync } from 'node:fs';

/** The ground floor of callbacks and checks, which every file may import. */
const openToAll = ['config'];

/**
 * The rooms of lib/, and what the files of each may import beside one another: a room with all that is in it, or one file.
 * Type imports count.
 */
const rooms = {
  config: [],
  http: [],
  json: [],
  'json/patch': ['json'],
  'json/diff': ['json'],
  'json/index.ts': ['json'],

  express: ['http'],
  routes: ['express', 'http'],
  allow: ['routes', 'express', 'http'],

  // explain/ imports cors/, never the other way round.
  cors: ['routes', 'express', 'http'],
  explain: ['cors', 'express', 'http'],

  // The codes of engines.
  stores: [],
  'stores/contract': ['json/pointer', 'json/app-json', 'http'],
  'stores/memory': ['stores/contract', 'http'],
  'stores/sql': ['stores/contract', 'stores/engine-error', 'http'],
  'stores/sqlite': ['stores/contract', 'stores/sql', 'http'],
  'stores/postgres': ['stores/contract', 'stores/sql', 'stores/engine-error', 'http'],
  'stores/redis': ['stores/contract', 'http'],

  rows: ['rows', 'stores/contract', 'stores/sql', 'stores/engine-error', 'json', 'http'],
  'rows/columns': ['rows/rows', 'stores/contract', 'json', 'http'],
  'rows/orms': [
    ...['rows/rows', 'rows/columns/kind', 'rows/library-rows', 'rows/refusals'],
    ...['rows/sql/mysql-rows', 'rows/sql/savepoint', 'rows/sql/statement'],
  ],
  'rows/sql': ['rows', 'stores/contract', 'stores/sql', 'stores/engine-error', 'http'],

  mongoose: ['stores/contract', 'json', 'http'],

  patch: ['patch/formats', 'patch/rules', 'json', 'stores/contract', 'express', 'http'],
  'patch/formats': ['json', 'http'],
  'patch/rules': ['patch/formats', 'json', 'stores/contract', 'http'],
  'patch/resource': ['patch', 'json', 'stores/contract', 'http'],

  client: ['client', 'json/diff', 'json/recipe', 'json/to-json', 'json/value', 'json/pointer'],

  testing: ['testing', 'stores/contract', 'http'],
  'testing/cases': ['testing', 'stores/contract', 'json/pointer', 'http'],

  'options-listener.ts': ['cors', 'allow', 'express', 'http'],
  'patch-options.ts': ['options-listener', 'express', 'http'],
  'index.ts': [
    'patch-options',
    'options-listener',
    'patch',
    'allow',
    'cors',
    'json',
    'routes',
    'express',
    'http',
    // No engine, and not the tests for them: those are entry points of their own.
    'stores/contract',
    'stores/memory',
  ],
};

const filesOf = (room) => (room.endsWith('.ts') ? `^lib/${room}$` : `^lib/${room}/[^/]+$`);

for (const name of Object.entries(rooms).flat(2)) {
  const path = `lib/${name}`;
  if (!existsSync(path) && !existsSync(`${path}.ts`)) throw new Error(`There is no ${path} any more.`);
}

/** Files with a rule of their own. */
const single = Object.keys(rooms).filter((room) => room.endsWith('.ts'));

const rulesOfRooms = Object.entries(rooms).map(([room, allowed]) => ({
  name: room,
  comment: `lib/${room} may import from: ${[...allowed, ...openToAll].join(', ')}.`,
  severity: 'error',
  from: { path: filesOf(room), pathNot: single.filter((file) => file !== room).map(filesOf) },
  to: {
    path: '^lib/',
    pathNot: [filesOf(room), ...[...allowed, ...openToAll].map((name) => `^lib/${name}(?:/|\\.ts$)`)],
  },
}));

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    ...rulesOfRooms,
    {
      name: 'room-without-rule',
      comment: 'Say in .dependency-cruiser.mjs what the new room may import.',
      severity: 'error',
      from: { path: '^lib/', pathNot: Object.keys(rooms).map(filesOf) },
      to: {},
    },
    {
      name: 'route-cache-seam',
      comment:
        'The cache can be taken out by deleting lib/routes/walk-cache.ts and the line that imports it.',
      severity: 'error',
      from: { path: '^lib/', pathNot: '^lib/routes/target-methods\\.ts$' },
      to: { path: '^lib/routes/walk-cache\\.ts$' },
    },
    {
      name: 'circle',
      comment: 'Files import each other in a circle, if only types: move out what both need.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'client-in-browsers',
      comment: 'The client, and json/, run where there is no Node: they load nothing of the server.',
      severity: 'error',
      from: { path: '^lib/(?:client|json)/' },
      to: {
        pathNot:
          '^lib/(?:client/|json/|config/(?:expectation|mistake|mistake-code|no-infer|object|printable|prototype-pollution|read-options)\\.ts$)',
      },
    },
    {
      name: 'driver-or-framework',
      comment: 'What runs is Node and our own dependencies; drivers and frameworks are given by the app.',
      severity: 'error',
      // It loads Express where `resources` are given, and only there.
      from: { path: '^lib/', pathNot: '^lib/patch-options\\.ts$' },
      to: { pathNot: '^lib/', dependencyTypesNot: ['type-only', 'npm', 'core'] },
    },
    {
      name: 'driver-of-node',
      comment:
        'node:sqlite is missing in some releases of Node that the package runs on, and is given by the app.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { path: '^(?:node:)?sqlite$' },
    },
    {
      name: 'types-of-development',
      comment: 'Apps that compile against our declarations do not have it: describe what is needed of it.',
      severity: 'error',
      from: { path: '^lib/' },
      to: { dependencyTypes: ['npm-dev'], dependencyTypesNot: ['npm', 'npm-peer'] },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    tsConfig: { fileName: 'tsconfig.json' },
    // As written: type imports are gone from what TypeScript emits.
    tsPreCompilationDeps: true,
  },
};
