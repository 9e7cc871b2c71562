/** The judge of the deep tests finds what it is to find: each history here is a true one with one lie in it. */
import { type Audit, type FaultCode, findFaults, type History, type NoteState, type Sent } from './history';

const state = (marks: string, count = 0, body: string | null = null): NoteState => ({
  marks: marks === '' ? [] : marks.split(' '),
  count,
  body,
});

const sent = (mark: string, status: number, more: Partial<Sent> = {}): Sent => ({
  ...{ mark, status, slug: 'a', what: 'PATCH', sentAt: 0, answeredAt: 100 },
  ...more,
});

const audit = (mark: string, before: NoteState | undefined, after: NoteState | undefined): Audit => ({
  ...{ mark, slug: 'a', before, after },
});

interface Case {
  readonly title: string;
  readonly faults: readonly FaultCode[];
  readonly history: Partial<History>;
  /** Undefined if it is deleted. */
  readonly row?: NoteState | undefined;
}

const two = [audit('x', state(''), state('x')), audit('y', state('x'), state('x y'))];
const both = [sent('x', 204), sent('y', 204)];

const cases: readonly Case[] = [
  {
    title: 'two writes, one after the other',
    faults: [],
    history: { sent: both, audits: two },
    row: state('x y'),
  },
  {
    title: 'a refused one, and two without an answer, of which one is there',
    faults: [],
    history: { sent: [sent('x', 0), sent('y', 500), sent('z', 412)], audits: two.slice(0, 1) },
    row: state('x'),
  },
  {
    title: 'a write between which the app has counted, and written its own column',
    faults: [],
    history: {
      sent: both,
      audits: [audit('x', state('', 2), state('x', 2)), audit('y', state('x', 3, '1'), state('x y', 3, '1'))],
      counted: new Map([['a', { acknowledged: 4, unknown: 1 }]]),
    },
    row: state('x y', 5, '2'),
  },
  {
    title: 'deleted, and created again',
    faults: [],
    history: {
      sent: [sent('x', 204, { what: 'DELETE' }), sent('y', 201, { what: 'create' })],
      audits: [audit('x', state(''), undefined), audit('y', undefined, state('y'))],
    },
    row: state('y'),
  },
  {
    title: 'repeated under its idempotency key after no answer',
    faults: [],
    history: { sent: [sent('x', 0), sent('x', 204)], audits: two.slice(0, 1) },
    row: state('x'),
  },
  {
    title: 'an update that is lost: both began with the same state',
    faults: ['chain'],
    history: { sent: both, audits: [audit('x', state(''), state('x')), audit('y', state(''), state('y'))] },
    row: state('y'),
  },
  {
    title: 'answered 2xx, and rolled back',
    faults: ['lost'],
    history: { sent: both, audits: two.slice(0, 1) },
    row: state('x'),
  },
  {
    title: 'answered 409, and there',
    faults: ['refused, and there'],
    history: { sent: [sent('x', 204), sent('y', 409)], audits: two },
    row: state('x y'),
  },
  {
    title: 'answered 409, and there without an audit: written beside the transaction',
    faults: ['refused, and there', 'row'],
    history: { sent: [sent('x', 204), sent('y', 409)], audits: two.slice(0, 1) },
    row: state('x y'),
  },
  {
    title: 'answered 503, and there without an audit',
    faults: ['row'],
    history: { sent: [sent('x', 503)] },
    row: state('x'),
  },
  {
    title: 'a retry that writes twice',
    faults: ['repeated'],
    history: {
      sent: [sent('x', 204)],
      audits: [audit('x', state(''), state('x')), audit('x', state('x'), state('x x'))],
    },
    row: state('x x'),
  },
  {
    title: 'repeated under its idempotency key, and written twice',
    faults: ['repeated'],
    history: {
      sent: [sent('x', 0), sent('x', 204)],
      audits: [audit('x', state(''), state('x')), audit('x', state('x'), state('x x'))],
    },
    row: state('x x'),
  },
  {
    title: 'twice in the row, with one audit',
    faults: ['repeated', 'row'],
    history: { sent: [sent('x', 204)], audits: two.slice(0, 1) },
    row: state('x x'),
  },
  {
    title: 'a write that nobody has sent',
    faults: ['not sent'],
    history: { sent: [sent('x', 204)], audits: two },
    row: state('x y'),
  },
  {
    title: 'a row that has lost what an audit says',
    faults: ['row'],
    history: { sent: both, audits: two },
    row: state('x'),
  },
  {
    title: 'deleted by a refused DELETE, beside the transaction',
    faults: ['row'],
    history: { sent: [sent('x', 412, { what: 'DELETE' })] },
    row: undefined,
  },
  {
    title: 'a DELETE answered 204, and the row is there',
    faults: ['lost'],
    history: { sent: [sent('x', 204, { what: 'DELETE' })] },
    row: state(''),
  },
  {
    title: 'a DELETE that is lost: the write after it has begun with the row',
    faults: ['chain'],
    history: {
      sent: [sent('x', 204, { what: 'DELETE' }), sent('y', 204)],
      audits: [audit('x', state(''), undefined), audit('y', state(''), state('y'))],
    },
    row: state('y'),
  },
  {
    title: 'a write that takes back what the app has counted',
    faults: ['chain', 'count'],
    history: {
      sent: both,
      audits: [audit('x', state('', 2), state('x', 2)), audit('y', state('x', 1), state('x y', 1))],
      counted: new Map([['a', { acknowledged: 2, unknown: 0 }]]),
    },
    row: state('x y', 1),
  },
  {
    title: "a write that changes the app's own column",
    faults: ['effect'],
    history: { sent: [sent('x', 204)], audits: [audit('x', state('', 0, '1'), state('x', 0, '2'))] },
    row: state('x', 0, '2'),
  },
  {
    title: 'a PATCH that has created the row again after a DELETE',
    faults: ['effect'],
    history: {
      sent: [sent('x', 204, { what: 'DELETE' }), sent('y', 204)],
      audits: [audit('x', state(''), undefined), audit('y', undefined, state('y'))],
    },
    row: state('y'),
  },
  {
    title: 'counted, and rolled back with a write of the store',
    faults: ['count'],
    history: { sent: [], counted: new Map([['a', { acknowledged: 3, unknown: 1 }]]) },
    row: state('', 2),
  },
  {
    title: 'counted more often than sent',
    faults: ['count'],
    history: { sent: [], counted: new Map([['a', { acknowledged: 1, unknown: 1 }]]) },
    row: state('', 3),
  },
  {
    title: 'committed before a write that was answered earlier',
    faults: ['order'],
    history: {
      sent: [
        sent('x', 204, { sentAt: 200, answeredAt: 300 }),
        sent('y', 204, { sentAt: 0, answeredAt: 100 }),
      ],
      audits: two,
    },
    row: state('x y'),
  },
];

test.each(cases)('$title', ({ history, faults, row }) => {
  const whole = {
    ...{ sent: [], audits: [], initial: new Map([['a', state('')]]) },
    ...{ rows: new Map(row === undefined ? [] : [['a', row]]), ...history },
  };
  expect(findFaults(whole).map(({ code }) => code)).toEqual(faults);
});
