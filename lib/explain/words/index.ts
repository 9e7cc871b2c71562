/**
 * What lib/cors loads when it first has something to tell, and what `explainCors` judges answers by. All of it is imported from
 * here: the bundle is loaded by one `require`.
 */
export { toDebugLine } from './debug-line';
export { readRedirect, readValue } from './fetch-steps';
export { hideSecrets } from './hide-secrets';
export { explainRedirect, findRefusal, refusalDetails } from './reasons';
export * from './warnings';
