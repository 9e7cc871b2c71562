import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Who may import whom is said in .dependency-cruiser.mjs.
export default tseslint.config(
  // Those of __tests__/orms and __tests__/frameworks have a lint.config.mjs: only `npm run test:deep` installs their packages.
  {
    ignores: [
      'dist/',
      'examples/dist/',
      'coverage/',
      '__tests__/orms/',
      '__tests__/frameworks/',
      '__tests__/types/generated/',
      'bench/generated/',
      'site/dist/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict],
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      // The optional peer, the public suffix list and the words about CORS: loaded only by what needs them.
      '@typescript-eslint/no-require-imports': [
        'error',
        { allow: ['^(?:debug|express|node:zlib|raw-body|tldts|\\.\\./explain/words)$'] },
      ],
      'no-restricted-syntax': [
        'error',
        { selector: 'ExportDefaultDeclaration', message: 'Named exports only.' },
        { selector: 'TSAsExpression[typeAnnotation.type="TSAnyKeyword"]', message: 'No any.' },
      ],
    },
  },
  {
    // What is published, and what is shown. In tests, rules that ask the compiler look for lost promises alone, and not on every
    // change: `npm run test:release` does, with __tests__/release/lint.config.mjs.
    files: ['lib/**/*.ts', 'examples/**/*.ts'],
    extends: [tseslint.configs.strictTypeCheckedOnly],
    languageOptions: {
      parserOptions: { project: ['./tsconfig.lint.json', './examples/notes/page/tsconfig.json'] },
    },
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    // Of the releases of Express and of router, a run loads those that it tests.
    files: ['__tests__/support/frameworks.ts', '__tests__/routes/flavours.ts'],
    rules: { '@typescript-eslint/no-require-imports': 'off' },
  },
  {
    files: ['__tests__/**/*.ts'],
    ignores: ['__tests__/support/properties.ts'],
    rules: {
      '@typescript-eslint/no-restricted-imports': [
        'error',
        {
          name: 'fast-check',
          allowTypeImports: true,
          message: 'Import fc from __tests__/support/properties, which sets the seed.',
        },
      ],
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
