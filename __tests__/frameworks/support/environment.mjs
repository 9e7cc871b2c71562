import { createRequire } from 'node:module';
import TestEnvironment from '../../support/environment.mjs';

/** Tests can load packages as Node does: Jest has no ES modules, and Next replaces what modules load. */
export default class extends TestEnvironment {
  constructor(config, context) {
    super(config, context);
    this.global.requireByNode = createRequire(import.meta.url);
  }
}
