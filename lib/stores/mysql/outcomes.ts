import { outcomesFull } from '../contract/outcome-store';
import type { OutcomeToKeep } from '../contract/resource-store';
import type { ColumnTexts } from '../sql/columns';

/** The numbers under which an outcome is stored. */
export interface Place {
  readonly number: number;
  readonly scopeNumber: number;
  /** Whether there are expired outcomes: those before `first`, or one of the same id. */
  readonly isOver?: boolean;
  readonly first?: number;
}

/**
 * Finds room for an outcome.
 *
 * @param span - the result of `outcomes.span`
 * @returns undefined if there is an outcome of that id
 * @throws ProblemError 503 if there is no room
 */
export function placeIn(span: ColumnTexts, { keep, total }: OutcomeToKeep): Place | undefined {
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

/** `first` is the oldest outcome that has not expired. */
function isFull(first: string | undefined, last: string | undefined, most: number): boolean {
  return first !== undefined && Number(last) - Number(first) + 1 >= most;
}
