import { strict as assert } from 'node:assert';
import type { Stored } from '../../stores/contract/resource-store';
import type { KeyProbe } from '../key-probe';
import type { ConformanceTests } from '../conformance-test';

/** Concurrent writes. */
export const races: ConformanceTests = {
  'of 50 concurrent replaces of one state exactly one writes': async (here, elsewhere) => {
    await assertOneWins(here, await elsewhere(), await here.start('before'));
  },

  'instances over one engine see the writes of each other': async (here, elsewhere) => {
    const there = await elsewhere();
    const stored = await here.start('here');
    await there.isAt(stored);
    const changed = await there.writes(stored, 'there');
    await here.isAt(changed);
    await here.refuses(stored, 'here again');
  },

  'four concurrent writers of one key lose no update': async (here, elsewhere) => {
    await here.start(0);
    const probes = [here, await elsewhere(), here, await elsewhere()];
    await Promise.all(probes.map((probe) => count(probe)));
    await here.holds(40);
  },

  'concurrent writers of eight keys lose no update': async (here, elsewhere) => {
    const there = await elsewhere();
    const probes: KeyProbe[] = [];
    for (const instance of [here, there, here, there, here, there, here, there]) {
      const { key } = await here.another();
      probes.push(instance.at(key));
    }
    await Promise.all(probes.map((probe) => probe.start(0)));
    await Promise.all(probes.map((probe) => count(probe)));
    for (const probe of probes) await probe.holds(10);
  },
};

/** Concurrent creations. */
export const creationRaces: ConformanceTests = {
  'of 50 concurrent creations exactly one writes': async (here, elsewhere) => {
    await assertOneWins(here, await elsewhere(), null);
  },
};

/** Concurrent deletions and replaces of one version. */
export const deletionRaces: ConformanceTests = {
  'of a deletion and a replace of one state exactly one is carried out': async (here, elsewhere) => {
    const there = await elsewhere();
    for (let round = 0; round < 20; round++) {
      const probe = await here.another();
      const state = await probe.start('before');
      const first = round % 2 === 0 ? there.at(probe.key).delete(state) : undefined;
      const replacement = probe.replace(state, 'after');
      const deletion = first ?? there.at(probe.key).delete(state);
      const [deleted, written] = await Promise.all([deletion, replacement]);
      const isWritten = written !== undefined;
      assert.ok(
        Boolean(deleted) !== isWritten,
        `delete returned ${String(deleted)}, and replace ${isWritten ? 'wrote' : 'wrote nothing'}. ` +
          'Compare the version in the statement that deletes',
      );
      if (isWritten) await probe.holds('after');
      else await probe.isAbsent();
    }
  },
};

async function assertOneWins(
  here: KeyProbe,
  there: KeyProbe,
  expected: Stored<unknown> | null,
): Promise<void> {
  const winner = await oneOf50(here, there, (probe, attempt) => probe.replace(expected, { attempt }));
  for (const probe of [here, there]) {
    const { version } = await probe.holds(winner?.value);
    assert.equal(version, winner?.version);
  }
}

/**
 * Runs 50 concurrent writes, and resolves with the result of the one that writes. Throws an AssertionError if
 * none or several write.
 */
export async function oneOf50<T>(
  here: KeyProbe,
  there: KeyProbe,
  write: (probe: KeyProbe, attempt: number) => Promise<T | undefined>,
): Promise<T | undefined> {
  const attempts = Array.from({ length: 50 }, (_, attempt) =>
    write(attempt % 2 === 0 ? here : there, attempt),
  );
  const written = (await Promise.all(attempts)).filter((result) => result !== undefined);
  assert.equal(written.length, 1, `${written.length} of 50 wrote`);
  return written[0];
}

/**
 * Counts to ten. Each failed attempt means that another writer has counted, so four writers need at most 40
 * attempts.
 */
async function count(probe: KeyProbe): Promise<void> {
  let done = 0;
  for (let attempt = 0; done < 10; attempt++) {
    assert.ok(
      attempt < 40,
      'replace wrote nothing 40 times, but the other writers cannot have written that often',
    );
    const state = await probe.present();
    if (await probe.replace(state, Number(state.value) + 1)) done += 1;
  }
}
