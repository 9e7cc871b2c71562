import { closeNotTested } from './not-tested';
import { closeSharedEngines } from './shared-engines';

export = async function close(): Promise<void> {
  closeNotTested();
  await closeSharedEngines();
};
