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
      'bench/generated/',
    ],
  },
  js.configs.recommended,
  {
    files: ['**/*.ts'],
    extends: [tseslint.configs.strictTypeChecked],
    languageOptions: { parserOptions: { project: './tsconfig.json' } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true }],
      // The optional peer, and the public suffix list: loaded only by those who need them.
      '@typescript-eslint/no-require-imports': ['error', { allow: ['^express$', '^tldts$'] }],
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
