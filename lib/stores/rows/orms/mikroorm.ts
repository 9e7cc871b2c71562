import { OptionsCheck } from '../../../configuration';
import type { Row, Rows } from '../rows';
import { hasMethods, isName } from './given';

/** An `EntityManager` of MikroORM, in what is asked of it. */
export interface MikroormEntityManager {
  fork(options?: never): unknown;
}

/**
 * A table through MikroORM, by `nativeUpdate` on a fork of the entity manager: nothing goes through an identity map, where it
 * could be stale.
 *
 * Columns have the names of the entity's properties. Filters that are enabled by default apply.
 *
 * ```ts
 * const notes = rowStore({ ...mikroormRows(orm.em, Note), columns: { title: 'string' }, key: 'slug', version: 'version' });
 * ```
 *
 * @param em - that of a transaction too: what is written through it is in the transaction
 * @param entity - the class, its `EntitySchema` or its name
 * @throws ConfigurationError
 */
export function mikroormRows(
  em: MikroormEntityManager,
  entity: object | string,
): Required<Omit<Rows, 'dialect'>> {
  const check = new OptionsCheck('mikroormRows()');
  if (!hasMethods(em, ['fork', 'nativeUpdate'])) {
    check.mistake('em', em, {
      code: 'option-type',
      reason: 'is not an EntityManager of MikroORM with a SQL driver',
      fix: 'Give orm.em, or the em of a transaction.',
    });
  }
  if (!isName(entity) && !hasMethods(entity, [])) {
    check.mistake('entity', entity, {
      code: 'option-type',
      reason: 'must be an entity',
      fix: 'Give the class, its EntitySchema or its name, as in mikroormRows(orm.em, Note).',
    });
  }
  check.done();
  const asked = em as unknown as EntityManager;
  const forked = () => asked.fork({ keepTransactionContext: true });
  // MikroORM changes what it is given: each call gets a copy.
  return {
    find: async (where, columns) => {
      const found = await forked().findOne(entity, { ...where }, { fields: [...columns] });
      return found && Object.fromEntries(columns.map((name) => [name, found[name]]));
    },
    update: (where, set) => forked().nativeUpdate(entity, { ...where }, { ...set }),
    insert: async (row) => {
      await forked().insert(entity, { ...row });
    },
    delete: (where) => forked().nativeDelete(entity, { ...where }),
  };
}

interface EntityManager {
  fork(options: object): EntityManager;
  findOne(entity: object | string, where: Row, options: object): PromiseLike<Row | null>;
  nativeUpdate(entity: object | string, where: Row, set: Row): PromiseLike<number>;
  insert(entity: object | string, row: Row): PromiseLike<unknown>;
  nativeDelete(entity: object | string, where: Row): PromiseLike<number>;
}
