import Sequencer from '@jest/test-sequencer';

/** The files that take longest, and by their size would come last, when one worker has nothing left to do. */
const longest = /page\.browser|differential|redis-store|packed|types\.test|notes-server|store-conformance/;

/** As Jest sorts, but for those. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => longest.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
