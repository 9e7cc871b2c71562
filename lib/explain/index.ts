export { explainCors } from './explain-cors';
export type { ExplanationCode } from '../cors/fetch-steps';
export type { Explanation } from './explanation';
export type { CorsQuestion } from './question';
