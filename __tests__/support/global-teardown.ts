import { closeSharedEngines } from './shared-engines';

export = closeSharedEngines;
