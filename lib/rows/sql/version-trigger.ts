import { expected, required } from '../../config/expectation';
import { OptionsCheck } from '../../config/options-check';
import type { Expectations } from '../../config/read-options';
import { backtickName, nameWithin, quoteName } from '../../stores/sql/name';
import type { Dialect } from '../rows';
import { quotedTable, type TableName } from './statement';

/** Options of `versionTrigger`. */
export interface VersionTriggerOptions extends TableName {
  /** The text column that is the `version` of `rowStore`. */
  readonly version: string;
  /** The database: `'postgres'`, `'sqlite'`, or `'mysql'` for MySQL and MariaDB. */
  readonly engine: Dialect;
}

/**
 * Returns the SQL of a trigger that gives a row a new version whenever a write does not set one, such as a
 * write of your app. Rows that are inserted without a version get one as well. In SQLite the column must
 * allow NULL for that, and the table must have a rowid.
 *
 * In MySQL each statement ends with a semicolon at the end of a line and contains no other, so every client
 * can run it, without DELIMITER. There, writes of a foreign key's CASCADE fire no trigger.
 *
 * @throws ConfigurationError with every mistake in the options
 */
export function versionTrigger(options: VersionTriggerOptions): string {
  const check = new OptionsCheck('versionTrigger()');
  const { table, schema, version, engine } = check.options(options, expectations);
  if (engine === 'mysql' && typeof table === 'string')
    check.value('table', table, nameWithin(64 - `_${version}_update`.length));
  check.done();
  if (engine === 'mysql')
    return mysqlTriggers({ schema, table }, backtickName(version), `${table}_${version}`);
  return engine === 'postgres'
    ? postgresTrigger({ schema, table }, quoteName(version), `${table}_${version}`)
    : sqliteTrigger({ schema, table }, quoteName(version), `${table}_${version}`);
}

const engines: readonly unknown[] = ['postgres', 'sqlite', 'mysql'];

const expectations: Expectations<keyof VersionTriggerOptions> = {
  table: required(nameWithin()),
  schema: nameWithin(),
  version: required(nameWithin()),
  engine: required(
    expected((engine) => engines.includes(engine), {
      code: 'option-value',
      isName: true,
      reason: "must be 'postgres', 'sqlite' or 'mysql'",
      fix: 'Write one of them.',
    }),
  ),
};

function postgresTrigger({ schema, table }: TableName, version: string, name: string): string {
  const on = quotedTable({ schema, table }, 'postgres');
  const trigger = quoteName(name);
  const functionName = quotedTable({ schema, table: name }, 'postgres');
  return `CREATE OR REPLACE FUNCTION ${functionName}() RETURNS trigger LANGUAGE plpgsql AS $patch_options$
BEGIN
  IF NEW.${version} IS NULL OR (TG_OP = 'UPDATE' AND NEW.${version} = OLD.${version}) THEN
    NEW.${version} := gen_random_uuid();
  END IF;
  RETURN NEW;
END
$patch_options$;
DROP TRIGGER IF EXISTS ${trigger} ON ${on};
CREATE TRIGGER ${trigger} BEFORE INSERT OR UPDATE ON ${on} FOR EACH ROW EXECUTE FUNCTION ${functionName}();
UPDATE ${on} SET ${version} = gen_random_uuid() WHERE ${version} IS NULL;
`;
}

/** Inside a trigger, SQLite takes table names without a schema: the table is in that of the trigger. */
function sqliteTrigger({ schema, table }: TableName, version: string, name: string): string {
  const set = `SET ${version} = lower(hex(randomblob(16)))`;
  const rowUpdate = `BEGIN UPDATE ${quoteName(table)} ${set} WHERE rowid = NEW.rowid; END`;
  const trigger = (event: string, condition: string) => {
    const triggerName = quotedTable({ schema, table: `${name}_${event.toLowerCase()}` }, 'sqlite');
    return `CREATE TRIGGER IF NOT EXISTS ${triggerName} AFTER ${event} ON ${quoteName(table)} WHEN ${condition}
${rowUpdate};
`;
  };
  const triggers =
    trigger('INSERT', `NEW.${version} IS NULL`) + trigger('UPDATE', `NEW.${version} IS OLD.${version}`);
  return `${triggers}UPDATE ${quotedTable({ schema, table }, 'sqlite')} ${set} WHERE ${version} IS NULL;
`;
}

/**
 * Without BEGIN there is no semicolon inside. Rows that existed before the column was added without a default
 * have an empty text.
 */
function mysqlTriggers({ schema, table }: TableName, version: string, name: string): string {
  const on = quotedTable({ schema, table }, 'mysql');
  const trigger = (event: string, unless: string) => {
    const triggerName = quotedTable({ schema, table: `${name}_${event.toLowerCase()}` }, 'mysql');
    return `DROP TRIGGER IF EXISTS ${triggerName};
CREATE TRIGGER ${triggerName} BEFORE ${event} ON ${on} FOR EACH ROW
  SET NEW.${version} = IF(${unless}, UUID(), NEW.${version});
`;
  };
  const missing = (row: string) => `COALESCE(${row}${version}, '') = ''`;
  const triggers =
    trigger('INSERT', missing('NEW.')) +
    trigger('UPDATE', `${missing('NEW.')} OR NEW.${version} <=> OLD.${version}`);
  return `${triggers}UPDATE ${on} SET ${version} = UUID() WHERE ${missing('')};
`;
}
