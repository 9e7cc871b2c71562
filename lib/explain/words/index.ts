/** What lib/cors loads when it first has something to tell, and what `explainCors` judges answers by. */
export { toDebugLine } from './debug-line';
export { readRedirect, readValue } from './fetch-steps';
export { explainRedirect, findRefusal, refusalDetails } from './reasons';
export * from './warnings';
