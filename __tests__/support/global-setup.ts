import { openNotTested } from './not-tested';
import { openSharedEngines } from './shared-engines';

export = async function open(): Promise<void> {
  openNotTested();
  await openSharedEngines();
};
