import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';
import type { Columns } from '../sql/columns';

/** The numbers under which an outcome is kept. */
export interface Place {
  readonly number: number;
  readonly scopeNumber: number;
  /** Whether there are any over their age: those before `first`, or one of the same id. */
  readonly isOver?: boolean;
  readonly first?: number;
}

/**
 * Where there is room for an outcome.
 *
 * @param span - what `outcomes.span` gave
 * @returns undefined where there is an outcome of that id
 * @throws ProblemError 503 where there is no room
 */
export function placeIn(span: Columns, { keep, total }: OutcomeToKeep): Place | undefined {
  const [sameId, oldest, first, last, seconds, scopeFirst, scopeLast, scopeSeconds] = span;
  if (sameId === 'known') return undefined;
  const waits = [
    ...(isFull(first, last, total) ? [Number(seconds)] : []),
    ...(isFull(scopeFirst, scopeLast, keep) ? [Number(scopeSeconds)] : []),
  ];
  if (waits.length > 0) throw outcomesFull(Math.max(...waits));
  const number = Number(last ?? 0) + 1;
  return {
    number,
    scopeNumber: Number(scopeLast ?? 0) + 1,
    isOver: sameId === 'over' || oldest !== first,
    first: Number(first ?? number),
  };
}

/** `first` is the oldest that is not over its age. */
function isFull(first: string | undefined, last: string | undefined, most: number): boolean {
  return first !== undefined && Number(last) - Number(first) + 1 >= most;
}
