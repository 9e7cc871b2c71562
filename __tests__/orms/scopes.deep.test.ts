/** Transactions that an ORM finds by itself, relations that it loads by itself, and entities that the app has changed. */
import { AsyncLocalStorage } from 'node:async_hooks';
