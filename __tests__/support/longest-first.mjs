import Sequencer from '@jest/test-sequencer';

/**
 * The files that take longest. Jest, which in a fresh clone goes by the size of files, would begin many of them last, when the other
 * workers have nothing left to do.
 */
const longest = new RegExp(
  [
    ...['chaos', 'conformance', 'differential', 'kinds', 'many-writers', 'messages', 'notes-server'],
    ...['pollution', 'redis-store', 'row-level-security', 'thrown'],
    ...['api/report', 'conflicts\\.browser', 'packed', 'release/start'],
  ].join('|'),
);

/** As Jest sorts, but for those. */
export default class LongestFirst extends Sequencer {
  sort(tests) {
    const sorted = super.sort(tests);
    const isLong = ({ path }) => longest.test(path);
    return [...sorted.filter(isLong), ...sorted.filter((test) => !isLong(test))];
  }
}
