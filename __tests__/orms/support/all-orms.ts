import { drizzles } from './drizzle';
import { knexes } from './knex';
import type { OrmUnderTest } from './orm';
import { prismas } from './prisma';

export const allOrms: readonly OrmUnderTest[] = [...prismas, ...drizzles, ...knexes];
