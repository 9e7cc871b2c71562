import { servePath } from './serve-notes';
import { tablePaths } from './table-paths';

void servePath(tablePaths);
