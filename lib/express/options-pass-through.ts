import { addProperty, markHandler, markOf, type HandlerMark } from './handler-metadata';

const mark: HandlerMark = { label: 'optionsPassThrough', key: 'patch-options:optionsPassThrough' };

/**
 * An OPTIONS handler that goes on to the next route, for routes of our own in front of the host's app. Express answers
 * OPTIONS by itself at the end of a router in which a matching route had no such handler, and so before any OPTIONS
 * handler of the host's further on. The walk knows this one and does not take it for the host's.
 */
export const optionsPassThrough = markHandler(
  (_req: unknown, _res: unknown, next: () => void): void => {
    next();
  },
  mark,
  [],
);

/** Marks a middleware of ours, which hosts also mount by `app.options('*', …)`: that is no OPTIONS handler of theirs either. */
export function passesOptions<T extends object>(middleware: T): T {
  return addProperty(middleware, mark.key, []);
}

export function isOptionsPassThrough(handler: unknown): boolean {
  return markOf(handler, mark) !== undefined;
}
