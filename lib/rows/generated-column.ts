/**
 * Thrown if a write sets a column that the database generates, which the options of the store do not declare
 * as read-only.
 */
export class GeneratedColumnError extends TypeError {
  override readonly name = 'GeneratedColumnError';
  readonly code = 'PATCH_OPTIONS_GENERATED_COLUMN';

  /**
   * @param columns - the columns of members that were written; if there are several, the cause names the one
   * @param key - the columns of the key of a new row
   */
  constructor(columns: readonly string[], key: readonly string[] = [], cause?: unknown) {
    const all = [...new Set([...columns, ...key])];
    const which = all.length > 1 ? `one of the columns ${all.join(', ')}` : `the column ${all.join('')}`;
    const fixes = [
      ...(columns.length > 0 ? ['Declare it as { kind, readOnly: true }.'] : []),
      ...(key.length > 0 ? [`If it is the key column ${key.join(' or ')}, set insert: undefined.`] : []),
    ];
    super(
      `The database generates ${which}, and refuses a write of it` +
        `${all.length > 1 ? '; its name is in the cause' : ''}. ${fixes.join(' ')}`,
      cause === undefined ? {} : { cause },
    );
  }
}
