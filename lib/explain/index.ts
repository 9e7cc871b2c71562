export type { ExplanationCode } from '../cors/fetch-steps';
export { explainCors, type Explanation } from './explain-cors';
export type { CorsQuestion } from './question';
export type { CorsTarget } from './target';
