/** The rules of the project, for files that are compiled with the packages here: `eslint --config` names it. */
import root from '../../eslint.config.mjs';
import { noLostPromises } from '../release/lint.config.mjs';

const [, ...rules] = root;

export default [
  { ignores: ['**/node_modules/', '**/generated/'] },
  ...rules,
  {
    files: ['**/*.ts'],
    languageOptions: { parserOptions: { project: '__tests__/orms/tsconfig.json' } },
    rules: noLostPromises,
  },
];
