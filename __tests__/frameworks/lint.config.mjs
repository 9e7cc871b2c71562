/** The rules of the project, for files that are compiled with the packages here: `eslint --config` names it. */
import root from '../../eslint.config.mjs';
import { noLostPromises } from '../release/lint.config.mjs';

const [, ...rules] = root;

export default [
  { ignores: ['**/node_modules/'] },
  ...rules,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: '__tests__/frameworks/tsconfig.json' } },
    rules: {
      ...noLostPromises,
      // Nest takes classes that are empty but for their decorator.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      // Express takes middlewares that return a promise.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
];
