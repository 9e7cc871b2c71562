import fc from 'fast-check';
import { seed } from './seed';

fc.configureGlobal({ seed });

export { fc };
