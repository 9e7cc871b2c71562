/**
 * A process in a time zone of its own, `kinds-through-orms.ts <database> <url> <count>`: writes the edges of each kind, and `count`
 * other rows, through each ORM, and prints the values that were neither read back nor refused.
 */
import { Client, types } from 'pg';
import { type ColumnKind, type ColumnOptions, rowStore } from '../../../lib/rows';
import {
  type Findings,
  type MemberStore,
  noFindings,
  pairsOf,
  writeAndRead,
} from '../../rows/written-and-read';
import { drizzles } from './drizzle';
import { isOn, type KindOverNote, kindsOverNotes, pathOf, refusesOf, roundsOf, strays } from './kinds';
import { knexes } from './knex';
import { kyselys } from './kysely';
import { mikroorms } from './mikroorm';
import type { Orm, OrmUnderTest } from './orm';
import { prismas } from './prisma';
import { sequelizes } from './sequelize';
import { typeorms } from './typeorm';

// As docs/your-data.md says.
const [numericArray, textArray] = [1231, 1009];
const parsers = types as TypeParsers;
parsers.setTypeParser(numericArray, parsers.getTypeParser(textArray));

const all: readonly OrmUnderTest[] = [
  ...[...prismas, ...drizzles, ...knexes],
  ...[...kyselys, ...typeorms, ...sequelizes, ...mikroorms],
];

/** By numbers that pg does not name. */
interface TypeParsers {
  readonly getTypeParser: (oid: number) => unknown;
  readonly setTypeParser: (oid: number, parser: unknown) => void;
}

/** A member of a store over notes. */
interface Member extends KindOverNote {
  readonly name: string;
}

/** In each, no column is there twice. */
function groupsOf(kinds: readonly KindOverNote[]): Member[][] {
  const groups: Member[][] = [];
  for (const about of kinds) {
    const { column, kind, storedAs = 'it is' } = about;
    const member = { ...about, name: `${kind} over ${column} as ${storedAs}` };
    const free = groups.find((group) => group.every((other) => other.column !== column));
    if (free === undefined) groups.push([member]);
    else free.push(member);
  }
  return groups;
}

function storeOf({ rows }: Orm, { names, database }: OrmUnderTest, members: readonly Member[]): MemberStore {
  const isSnakeCase = names.createdAt === 'created_at';
  const columns = members.map(({ name, kind, column, storedAs, values }): [string, ColumnOptions] => [
    name,
    {
      kind: kind as ColumnKind,
      column: isSnakeCase ? column.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`) : column,
      ...formOf(kind, storedAs, database === 'SQLite' && isSnakeCase),
      ...(values !== undefined && { values }),
    },
  ]);
  const title = { kind: 'string' } as const;
  const options = { columns: { ...Object.fromEntries(columns), title }, key: 'slug', timeout: 60_000 };
  const store = rowStore({ ...rows, ...options });
  return {
    get: async (slug) => store.get(slug),
    replace: async (slug, expected = null, next, context) =>
      store.replace(slug, expected, { ...next, title: 'a' }, context as never),
  };
}

/** Knex and Kysely know no types of columns, and SQLite has none for dates and days. */
function formOf(
  kind: string,
  storedAs: ColumnOptions['storedAs'],
  isUntyped: boolean,
): Pick<ColumnOptions, 'storedAs'> {
  if (storedAs !== undefined) return { storedAs };
  return isUntyped && /^(?:date|day)\b/.test(kind) ? { storedAs: 'iso' } : {};
}

/** Each by itself: a database need not say which of several columns it refuses. */
async function sendStrays(orm: Orm, about: OrmUnderTest, findings: Findings): Promise<void> {
  for (const stray of strays.filter((one) => isOn(one, about))) {
    const [members = []] = groupsOf([{ ...stray, refuses: () => true }]);
    const [member] = members;
    if (member === undefined) continue;
    const store = storeOf(orm, about, members);
    for (const value of stray.sent) {
      const sent = { [member.name]: value };
      await writeAndRead(store, members, [sent, { [member.name]: null }], findings);
    }
  }
}

async function throughOrm(about: OrmUnderTest, url: string, count: number): Promise<Findings> {
  // The page says this, too.
  const path = pathOf(about);
  const orm = await about.open(
    path === 'Prisma over PostgreSQL' ? `${url}?options=-c%20TimeZone%3DUTC` : url,
  );
  const findings = noFindings();
  const kinds = kindsOverNotes.filter((one) => isOn(one, about));
  const judged = kinds.map((one) => ({ ...one, rounds: roundsOf(about, one), refuses: refusesOf(about) }));
  for (const members of groupsOf(judged)) {
    const store = storeOf(orm, about, members);
    const pairs = pairsOf(members, count);
    const next = pairs[Symbol.iterator]();
    const work = async () => {
      for (const pair of next) await writeAndRead(store, members, pair, findings);
    };
    await Promise.all(Array.from({ length: about.database === 'SQLite' ? 1 : 6 }, work));
  }
  await sendStrays(orm, about, findings);
  await orm.close();
  return findings;
}

/** As docs/rows.md says of arrays whose type pg does not know. */
async function parseStates(connectionString: string): Promise<void> {
  const client = new Client({ connectionString });
  await client.connect();
  const { rows } = await client.query<{ oid: number }>(`SELECT '"State"[]'::regtype::oid AS oid`);
  await client.end();
  parsers.setTypeParser(rows[0]?.oid ?? NaN, parsers.getTypeParser(textArray));
}

async function main([database, url = '', count]: readonly string[]): Promise<void> {
  if (database === 'PostgreSQL') await parseStates(url);
  const only = process.env['ORM'];
  for (const about of all.filter((one) => one.database === database && (only ?? one.orm) === one.orm)) {
    const { wrong, ...counts } = await throughOrm(about, url, Number(count));
    process.stdout.write(
      `${JSON.stringify({ path: pathOf(about), ...counts, wrong: wrong.slice(0, 200) })}\n`,
    );
  }
}

void main(process.argv.slice(2));
