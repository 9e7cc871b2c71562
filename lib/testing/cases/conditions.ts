import { strict as assert } from 'node:assert';
import { assertSameJson } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** What `replace` compares, and what it leaves alone. */
export const conditions: ConformanceTests = {
  'an absent key: get is undefined, and a replace with a version writes nothing': async (here) => {
    await here.isAbsent();
    for (const version of ['a version', '', 'null', 'undefined']) await here.refuses(version, 1);
    await here.isAbsent();
  },

  'null writes only while the key is absent': async (here) => {
    await here.writes(null, 'first');
    await here.refuses(null, 'second');
    await here.holds('first');
  },

  'a version that is not the present one writes nothing': async (here) => {
    const first = await here.writes(null, 1);
    const { version } = await here.writes(first.version, 2);
    const others = [first.version, version.toUpperCase(), `${version} `, version.slice(0, -1)];
    others.push('', '*', '%', "' OR 1=1 --");
    for (const other of others) {
      if (other !== version) await here.refuses(other, 3);
    }
    await here.holds(2);
  },

  'replace returns what get then returns': async (here) => {
    let expected: string | null = null;
    for (const value of [{ a: [1] }, { a: [2] }]) {
      const written = await here.writes(expected, value);
      const read = await here.present();
      assertSameJson(written.value, read.value);
      assert.equal(written.version, read.version);
      assert.equal(written.modified?.getTime(), read.modified?.getTime());
      expected = read.version;
    }
  },

  'a write leaves every other key alone': async (here) => {
    const other = here.beside('/other');
    const { version } = await other.writes(null, 'other');
    const made = await here.writes(null, 1);
    await here.writes(made.version, 2);
    await other.isAt(version);
  },
};
