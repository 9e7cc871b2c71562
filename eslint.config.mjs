import js from '@eslint/js';
import tseslint from 'typescript-eslint';

// Who may import whom is said in .dependency-cruiser.mjs.
export default tseslint.config(
  {
    ignores: ['**/dist/', '**/generated/', 'coverage/'],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strict],
    // The tsconfig.json that is nearest to each file. Those of __tests__/orms and __tests__/frameworks say more when their packages are
    // installed: `npm run orms` lints the first, and `npm run frameworks` the second once more.
    languageOptions: { parserOptions: { projectService: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': 'error',
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
    // What is published, and what is shown.
    files: ['lib/**/*.ts', 'examples/**/*.ts'],
    extends: [tseslint.configs.strictTypeCheckedOnly],
    rules: {
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
    },
  },
  {
    files: ['__tests__/frameworks/**/*.ts'],
    rules: {
      // Nest takes classes that are empty but for their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Express takes middlewares that return a promise.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
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
