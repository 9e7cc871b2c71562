/**
 * Decides from what clients have sent and were answered, and from what is in the database at the end, whether any write was lost,
 * repeated, or left behind by a request that was refused.
 */

/** What a note holds. */
export interface NoteState {
  /** Each write of a client, or of the app under a lock, has added one. */
  readonly marks: readonly string[];
  /** The app counts here, by `SET ratio = ratio + 1`. */
  readonly count: number;
  /** The app writes the next number here, past its own row. */
  readonly body: string | null;
}

/** One request that writes, or one of several under the same idempotency key. */
export interface Sent {
  /** Unique, but for requests under the same idempotency key. */
  readonly mark: string;
  readonly slug: string;
  readonly what: 'PATCH' | 'PUT' | 'create' | 'DELETE' | 'own';
  /** 0 if no answer came. */
  readonly status: number;
  readonly sentAt: number;
  readonly answeredAt: number;
}

/** What the transaction of a write has noted about it. */
export interface Audit {
  readonly mark: string;
  readonly slug: string;
  /** Undefined if there was no row. */
  readonly before: NoteState | undefined;
  /** Undefined if there is no row any more. */
  readonly after: NoteState | undefined;
}

/** What happened in rows, and what is there at the end. */
export interface History {
  readonly sent: readonly Sent[];
  /** In the order of the commits of each row. */
  readonly audits: readonly Audit[];
  readonly initial: ReadonlyMap<string, NoteState>;
  readonly rows: ReadonlyMap<string, NoteState>;
  /** By row, how often the app's own UPDATE that counts has returned, and how often it has failed in a way that says nothing. */
  readonly counted?: ReadonlyMap<string, Counted>;
}

export interface Counted {
  readonly acknowledged: number;
  readonly unknown: number;
}

export type FaultCode =
  | 'lost' // answered 2xx, and not there
  | 'repeated' // there more than once
  | 'refused, and there' // answered 4xx, and there
  | 'not sent' // there, and nobody has sent it
  | 'chain' // a write that did not begin with what the one before it has left
  | 'effect' // a write that changed something else than its request
  | 'order' // begun after another was answered, and committed before it
  | 'row' // the row is not what the last write has left
  | 'count'; // the app's own counter has lost or repeated an increment

export interface Fault {
  readonly code: FaultCode;
  readonly slug: string;
  readonly about: string;
}

/** @returns no fault if every 2xx is there once, every 4xx is not there, and every other answer is there once or not */
export function findFaults(history: History): Fault[] {
  return [...faultsOfAnswers(history), ...faultsOfRows(history), ...faultsOfCounts(history)];
}

function faultsOfAnswers({ sent, audits, rows }: History): Fault[] {
  const faults: Fault[] = [];
  const byMark = groupBy(sent, ({ mark }) => mark);
  const noted = groupBy(audits, ({ mark }) => mark);
  for (const [mark, requests] of byMark) {
    const [{ slug, what } = neverSent] = requests;
    const statuses = requests.map(({ status }) => status).join();
    const about = `${what} ${mark} answered ${statuses}`;
    const times = noted.get(mark)?.length ?? 0;
    const inRow = rows.get(slug)?.marks.filter((one) => one === mark).length ?? 0;
    if (times > 1 || inRow > 1)
      faults.push({ code: 'repeated', slug, about: `${about}: ${times} audits, ${inRow} marks` });
    if (requests.some(({ status }) => isSuccess(status))) {
      if (times === 0) faults.push({ code: 'lost', slug, about: `${about}: no audit` });
    } else if (requests.every(({ status }) => status >= 400 && status < 500)) {
      if (times > 0 || inRow > 0) faults.push({ code: 'refused, and there', slug, about });
    }
  }
  for (const [mark, [audit]] of noted)
    if (audit !== undefined && !byMark.has(mark))
      faults.push({ code: 'not sent', slug: audit.slug, about: mark });
  return faults;
}

/** Each write of a row begins with what the one before it has left. */
function faultsOfRows({ sent, audits, initial, rows }: History): Fault[] {
  const faults: Fault[] = [];
  const requests = groupBy(sent, ({ mark }) => mark);
  const chains = groupBy(audits, ({ slug }) => slug);
  for (const slug of new Set([...initial.keys(), ...chains.keys(), ...rows.keys()])) {
    let last = initial.get(slug);
    let begun = -Infinity;
    for (const audit of chains.get(slug) ?? []) {
      const attempts = requests.get(audit.mark) ?? [];
      const what = attempts[0]?.what;
      const about = `${what ?? 'a write'} ${audit.mark}`;
      if (!isSuccessor(last, audit.before))
        faults.push({
          code: 'chain',
          slug,
          about: `${about} began with ${show(audit.before)} after ${show(last)}`,
        });
      const effect = findEffect(audit, what);
      if (effect !== undefined) faults.push({ code: 'effect', slug, about: `${about} ${effect}` });
      // What is not answered 2xx can be committed later.
      const answered = attempts.filter(({ status }) => isSuccess(status)).map(({ answeredAt }) => answeredAt);
      if (Math.min(...answered) < begun) faults.push({ code: 'order', slug, about });
      if (attempts.length > 0) begun = Math.max(begun, Math.min(...attempts.map(({ sentAt }) => sentAt)));
      last = audit.after;
    }
    const row = rows.get(slug);
    if (!isSuccessor(last, row))
      faults.push({ code: 'row', slug, about: `the row is ${show(row)} after ${show(last)}` });
  }
  return faults;
}

function faultsOfCounts({ initial, rows, counted }: History): Fault[] {
  return [...(counted ?? [])].flatMap(([slug, { acknowledged, unknown }]): Fault[] => {
    const least = (initial.get(slug)?.count ?? 0) + acknowledged;
    const count = rows.get(slug)?.count;
    if (count !== undefined && count >= least && count <= least + unknown) return [];
    return [
      { code: 'count', slug, about: `${String(count)} in the row, ${least} to ${least + unknown} counted` },
    ];
  });
}

/** Whether a state can follow another one without a write that leaves a mark: the app only counts up in between. */
function isSuccessor(last: NoteState | undefined, next: NoteState | undefined): boolean {
  if (last === undefined || next === undefined) return last === next;
  return (
    last.marks.join() === next.marks.join() &&
    next.count >= last.count &&
    Number(next.body ?? 0) >= Number(last.body ?? 0)
  );
}

/** What a write has done beside what its request asks for; undefined if nothing. */
function findEffect({ mark, before, after }: Audit, what: Sent['what'] | undefined): string | undefined {
  if (what === 'DELETE')
    return after === undefined && before !== undefined ? undefined : `left ${show(after)}`;
  if (after === undefined) return 'deleted the row';
  if ((before === undefined) !== (what === 'create')) return `found ${show(before)}`;
  const { marks, count, body } = before ?? { ...after, marks: [] };
  const isSame = after.count === count && after.body === body;
  return isSame && after.marks.join() === [...marks, mark].join()
    ? undefined
    : `made ${show(after)} of ${show(before)}`;
}

export function isSuccess(status: number): boolean {
  return status >= 200 && status < 300;
}

function show(state: NoteState | undefined): string {
  if (state === undefined) return 'no row';
  const { marks, count, body } = state;
  return `${marks.length} marks … ${marks.slice(-2).join()} (count ${count}, body ${body ?? 'null'})`;
}

const neverSent = { slug: '', what: 'own' } as const;

function groupBy<T>(all: Iterable<T>, readKey: (one: T) => string): Map<string, T[]> {
  const groups = new Map<string, T[]>();
  for (const one of all) {
    const group = groups.get(readKey(one));
    if (group === undefined) groups.set(readKey(one), [one]);
    else group.push(one);
  }
  return groups;
}
