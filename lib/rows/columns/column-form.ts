import type { Kind } from '../kind';
import type { CastType, ColumnForm, Dialect } from '../rows';
import { isText } from './form';
import { isJsonText } from './kinds';

/** What decides how a column is read and written, besides its kind. */
interface ColumnDeclaration {
  readonly dialect: Dialect | undefined;
  readonly isList: boolean;
  /** What the app or the ORM has declared. */
  readonly form: ColumnForm | undefined;
}

/**
 * The form in which a column is read and written.
 *
 * @returns undefined if only the app can know it, because SQLite has no types for dates and days: there, text
 *   would be stored in a column of milliseconds
 */
export function chooseForm(base: Kind, { dialect, isList, form }: ColumnDeclaration): ColumnForm | undefined {
  if (dialect === 'sqlite' && (base === 'date' || base === 'day')) return form === 'Date' ? undefined : form;
  if (form !== undefined) return form;
  const isDriverText = dialect !== undefined && (base === 'day' || base === 'time');
  return isDriverText || (isList && isJsonText(dialect)) ? 'iso' : 'Date';
}

/** Kinds that a driver may read as doubles, or as midnight in the time zone of the process. */
const roundedKinds: readonly Kind[] = ['decimal', 'bigint', 'day'];

/** Kinds whose arrays a driver may not know, such as an array of an enum. */
const textKinds: readonly Kind[] = ['string', 'uuid'];

/** What PostgreSQL can cast a column to, so that no driver changes it; undefined if none does. */
export function chooseCast(base: Kind, { isList, form }: ColumnDeclaration): CastType | undefined {
  const isChanged =
    roundedKinds.includes(base) || (isList && textKinds.includes(base)) || (base === 'date' && isText(form));
  if (!isChanged) return undefined;
  return isList ? 'text[]' : 'text';
}
