export { explainCors } from './explain-cors';
export type { ExplanationCode } from './words/fetch-steps';
export type { Explanation } from './explanation';
export type { CorsQuestion } from './question';
export type { CorsTarget } from './target';
