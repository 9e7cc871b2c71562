import { isObject } from '../../config/object';

/**
 * Whether this is a pool or connection of mysql2. npm mariadb has methods of the same names, which take and
 * give something else.
 */
export function isMysql2(value: unknown, methods: readonly string[]): value is object {
  const has = (name: string) => isObject(value) && typeof Reflect.get(value, name) === 'function';
  return methods.every(has) && !['batch', 'importFile'].some(has);
}

/** The one with promises, of a pool or connection that may be one with callbacks. */
export function promised<D extends object>(db: D | { promise(): D }): D {
  return 'promise' in db && typeof db.promise === 'function' ? db.promise() : (db as D);
}
