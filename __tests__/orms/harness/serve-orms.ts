import { servePath } from '../../rows/harness/serve-notes';
import { builderPaths, entityPaths, pglitePath } from './orm-paths';

void servePath([...builderPaths, ...entityPaths, pglitePath]);
