import { nearestName } from '../config/nearest-name';
import { hasNames } from '../config/object';
import type { OptionsCheck } from '../config/options-check';
import { readMember } from '../config/prototype-pollution';

/** The options of `rowStore` that name columns, and the columns that the ORM knows. */
type Naming = Readonly<
  Partial<
    Record<
      'columns' | 'key' | 'version' | 'counter' | 'modified' | 'outcomes' | 'columnNames' | 'columnKinds',
      unknown
    >
  >
>;

/** Reports every name in the options that the ORM does not know, if it says which columns it knows. */
export function checkKnownColumns(check: OptionsCheck, options: Naming): void {
  const { columnNames, columnKinds } = options;
  if (columnNames === undefined) return;
  if (!hasNames(columnNames) || Object.values(columnNames).some((name) => typeof name !== 'string')) {
    check.mistake('columnNames', columnNames, {
      code: 'option-type',
      reason: 'must be an object of strings',
      fix:
        'Write the columns with their names in the database, ' +
        "as { createdAt: 'created_at' }, or leave it out.",
    });
    return;
  }
  for (const [option, name] of namesIn(options)) {
    if (typeof name !== 'string' || name === '' || Object.hasOwn(columnNames, name)) continue;
    const column: unknown = hasNames(columnKinds) ? Reflect.get(columnKinds, name) : undefined;
    const isRelation = hasNames(column) && Reflect.get(column, 'type') === 'relation';
    const known = Object.keys(columnNames);
    // The app may have written the name that the column has in the database.
    const renamed = known.find((other) => Reflect.get(columnNames, other) === name);
    const nearest = renamed ?? nearestName(name, known);
    const fix = nearest === undefined ? `The columns are ${known.join(', ')}.` : `Did you mean '${nearest}'?`;
    check.mistake(option, name, {
      code: 'column-unknown',
      reason: isRelation ? 'is a relation, which has no column' : 'is not a column that the ORM knows',
      fix: isRelation ? 'List the column of its foreign key, or add it in represent.' : fix,
    });
  }
}

/** The columns that the options name, by the path of the option. */
function namesIn(options: Naming): [option: string, name: unknown][] {
  const { columns, key } = options;
  const memberColumns = hasNames(columns)
    ? Object.entries(columns).map(([member, column]): [string, unknown] => {
        const name: unknown = hasNames(column)
          ? readMember(column as { column?: unknown }, 'column')
          : undefined;
        return name === undefined ? [`columns.${member}`, member] : [`columns.${member}.column`, name];
      })
    : [];
  const keyColumns: [string, unknown][] = Array.isArray(key)
    ? key.map((column: unknown, index) => [`key[${index}]`, column])
    : [['key', key]];
  const others = (['version', 'counter', 'modified', 'outcomes'] as const).map(
    (option): [string, unknown] => [option, options[option]],
  );
  return [...memberColumns, ...keyColumns, ...others];
}
