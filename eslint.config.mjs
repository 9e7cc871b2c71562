import js from '@eslint/js';
import tseslint from 'typescript-eslint';

/**
 * The rooms of lib/ and the rooms each may import from. `configuration.ts`, which imports nothing of ours, is open
 * to all; the files beside it (`index.ts`, the bundle) see everything and have no rule.
 */
const rooms = {
  http: [],
  routes: [],
  parsers: ['http'],
  // The last two are its own, as stores/conformance/ sees them.
  stores: ['http', 'resource-store', 'outcome-store'],
  options: ['routes', 'http'],
  cors: ['routes', 'http'],
  patch: ['parsers', 'stores/resource-store', 'stores/outcome-store', 'routes', 'http'],
};
const openToAll = ['configuration'];

const importsOf = (room, allowed) => ({
  files: [`lib/${room}/**/*.ts`],
  rules: {
    'no-restricted-imports': [
      'error',
      {
        patterns: [
          {
            regex: `^\\.\\./(?!(${[...openToAll, ...allowed].join('|')})(/|$))`,
            message: `lib/${room} may import from: ${[...allowed, ...openToAll].join(', ')}.`,
          },
          {
            regex: '^(express|router|pg|redis|ioredis|better-sqlite3|node:sqlite)(/|$)',
            allowTypeImports: true,
            message: 'Frameworks and drivers are given by the host: import their types only.',
          },
        ],
      },
    ],
  },
});

export default tseslint.config(
  { ignores: ['dist/', 'build/', 'bench/modules/', 'examples/dist/', 'coverage/'] },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The optional peer, loaded only by those who need it.
      '@typescript-eslint/no-require-imports': ['error', { allow: ['^express$'] }],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSAsExpression[typeAnnotation.type="TSAnyKeyword"]', message: 'No any.' },
      ],
    },
  },
  {
    // It runs in browsers, whose types Node's scripts do without.
    files: ['examples/page/**/*.ts'],
    languageOptions: { parserOptions: { project: './examples/page/tsconfig.json' } },
  },
  ...Object.entries(rooms).map(([room, allowed]) => importsOf(room, allowed)),
  {
    // Jest's asymmetric matchers and supertest's bodies are typed any.
    files: ['__tests__/**/*.ts'],
    rules: {
      '@typescript-eslint/no-unsafe-argument': 'off',
      '@typescript-eslint/no-unsafe-assignment': 'off',
      '@typescript-eslint/no-unsafe-member-access': 'off',
    },
  },
  {
    files: ['**/*.mjs'],
    languageOptions: {
      globals: {
        process: 'readonly',
        console: 'readonly',
        URL: 'readonly',
        structuredClone: 'readonly',
        performance: 'readonly',
        Buffer: 'readonly',
      },
    },
  },
);
