import { openSharedEngines } from './shared-engines';

export = openSharedEngines;
