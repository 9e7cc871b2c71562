/** The rules that find lost promises in tests. They ask the compiler, so `npm run lint` leaves them to `npm run test:release`. */
import tseslint from 'typescript-eslint';
import root from '../../eslint.config.mjs';

const [ignored] = root;

export const noLostPromises = {
  '@typescript-eslint/no-floating-promises': 'error',
  '@typescript-eslint/no-misused-promises': 'error',
};

export default [
  ignored,
  {
    files: ['**/*.ts'],
    plugins: { '@typescript-eslint': tseslint.plugin },
    languageOptions: { parser: tseslint.parser, parserOptions: { project: './tsconfig.json' } },
    linterOptions: { reportUnusedDisableDirectives: 'off' },
    rules: noLostPromises,
  },
];
