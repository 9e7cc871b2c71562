/** Each kind of servers with the driver that the fast tests leave out. */
import { describeRedisStore } from './describe-redis-store';

describeRedisStore({ crossed: true });
