import { isObject } from '../../config/object';

/**
 * Whether this is a pool or connection of mysql2. Those of npm mariadb have methods with
 * the same names, but other parameters and results.
 */
export function isMysql2(value: unknown, methods: readonly string[]): value is object {
  const has = (name: string) => isObject(value) && typeof Reflect.get(value, name) === 'function';
  return methods.every(has) && !['batch', 'importFile'].some(has);
}

/** The pool or connection with promises, for one that can have callbacks instead. */
export function toPromiseClient<D extends object>(db: D | { promise(): D }): D {
  return 'promise' in db && typeof db.promise === 'function' ? db.promise() : (db as D);
}
