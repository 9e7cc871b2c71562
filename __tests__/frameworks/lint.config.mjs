/** The rules of the project, for files that are compiled with the packages here: `eslint --config` names it. */
import root from '../../eslint.config.mjs';

const [, ...rules] = root;

export default [
  { ignores: ['**/node_modules/'] },
  ...rules,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: '__tests__/frameworks/tsconfig.json' } },
    rules: {
      // Nest takes classes that are empty but for their decorator, and literals as instances of its classes of options.
      '@typescript-eslint/no-extraneous-class': ['error', { allowWithDecorator: true }],
      '@typescript-eslint/no-unsafe-class-instance-assignment': 'off',
      // Express takes middlewares that return a promise.
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: false }],
    },
  },
];
