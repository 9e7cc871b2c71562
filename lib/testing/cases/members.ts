import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import type { ConformanceTests } from '../conformance-test';
import { assertSameJson, isSameJson, type KeyProbe, printShort, readStatus } from '../key-probe';
import { type Members, readMembers, replaceMembers } from '../members';
import type { SampleValues } from '../sample-values';
import { assertProblemStatus, writeOrBeRefused } from './write-or-be-refused';

/** A member for which no table has a column. */
const foreign = 'aMemberThatIsNoColumn';

export const foreignMembers: ConformanceTests = {
  'a member without a column is refused with 422, or stored': async (here, _, samples) => {
    const state = await begin(here, samples);
    const written = await writeOrBeRefused(
      here.bare,
      state,
      replaceMembers(state.value, { [foreign]: 'a text' }),
    );
    if (written !== 'refused') assertKept(written.value, { [foreign]: 'a text' });
  },
};

export const clearedMembers: ConformanceTests = {
  'a member that is left out is cleared': async (here, _, samples) => {
    let present = await begin(here, samples, samples.clearable);
    for (const name of Object.keys(samples.clearable)) {
      const { [name]: before, ...without } = readMembers(present.value);
      assert.ok(
        before !== undefined && before !== null,
        `The member ${name} was written, but get returned ${printShort(before)}`,
      );
      const written = await here.bare.writes(present, without);
      present = await here.bare.present();
      assertSameJson(written.value, present.value);
      for (const { value } of [written, present]) {
        const after = readMembers(value)[name] ?? null;
        assert.equal(
          after,
          null,
          `${name} was left out, but is still ${printShort(after)}. Write NULL for it`,
        );
      }
    }
  },
};

export const fixedMembers: ConformanceTests = {
  'a change of a fixed member is refused with 422, or has no effect': async (here, _, samples) => {
    let present = await begin(here, samples);
    for (const [name, other] of Object.entries(samples.fixed)) {
      const before = readMembers(present.value)[name];
      assert.ok(
        !isSameJson(before, other),
        `${name} is already ${printShort(other)}. Pass another value as members.fixed`,
      );
      const written = await writeOrBeRefused(
        here.bare,
        present,
        replaceMembers(present.value, { [name]: other }),
      );
      if (written === 'refused') continue;
      assertNotTaken(written.value, name, other);
      present = written;
    }
  },
};

export const fixedOnCreation: ConformanceTests = {
  'creation cannot set a fixed member': async (here, _, { wrap, fixed }) => {
    for (const [name, other] of Object.entries(fixed)) {
      const { bare } = await here.another();
      try {
        await bare.writes(null, replaceMembers(wrap('"created"'), { [name]: other }));
      } catch (thrown) {
        if (readStatus(thrown) !== 422) throw thrown;
        await bare.isAbsent();
        continue;
      }
      assertNotTaken((await bare.present()).value, name, other);
    }
  },
};

export const uniqueMembers: ConformanceTests = {
  'a duplicate of a unique value: a 409 problem and nothing is written': async (here, _, samples) => {
    const uniqueMembers = samples.unique();
    const first = await begin(here, samples, uniqueMembers);
    assertKept(first.value, uniqueMembers);
    const others = samples.unique();
    const isAnother = !isSameJson(others, uniqueMembers);
    assert.ok(
      isAnother,
      `members.unique returned ${printShort(uniqueMembers)} twice. Return a new value on each call`,
    );
    const other = await here.another();
    const second = await begin(other, samples, others);
    assertProblemStatus(await other.bare.throws(second, replaceMembers(second.value, uniqueMembers)), 409);
    await other.bare.holds(second.value);
    await other.bare.isAt(second);
    if (!here.creates) return;
    const third = await here.another();
    assertProblemStatus(
      await third.bare.throws(null, replaceMembers(samples.wrap('"created"'), uniqueMembers)),
      409,
    );
    await third.isAbsent();
  },
};

/** Starts with a resource of the store's own form that has these members. */
async function begin(
  here: KeyProbe,
  { wrap }: SampleValues,
  members: Members = {},
): Promise<Stored<unknown>> {
  const { bare } = here;
  const before = here.creates ? undefined : (await bare.readExisting()).value;
  await bare.start(replaceMembers(before, replaceMembers(wrap('"a text"'), members)));
  return bare.present();
}

function assertKept(value: unknown, members: Members): void {
  for (const [name, member] of Object.entries(members)) {
    const kept = readMembers(value)[name];
    assert.ok(
      isSameJson(kept, member),
      `${name} was written as ${printShort(member)}, but read back as ${printShort(kept)}. ` +
        'Refuse with 422 what is not stored',
    );
  }
}

/**
 * Asserts that a fixed member that is not part of the value is refused, because the client could not see that
 * it had no effect.
 */
function assertNotTaken(value: unknown, name: string, other: unknown): void {
  const members = readMembers(value);
  assert.ok(
    Object.hasOwn(members, name),
    `${name} was written as ${printShort(other)}, but dropped. Refuse it with 422`,
  );
  assert.ok(
    !isSameJson(members[name], other),
    `${name} is fixed, but was set to ${printShort(other)}. Refuse it with 422`,
  );
}
