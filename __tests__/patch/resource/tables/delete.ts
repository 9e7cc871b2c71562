import { PRESENT, type PatchTable } from '../../../support/patch-table';

const row = { method: 'DELETE', status: 204, after: null } as const;

/** What a DELETE gets. */
export const deletes: Readonly<Record<string, PatchTable>> = {
  'RFC 9110 9.3.5: DELETE': {
    'deletes: 204 without a validator': {
      ...row,
      answers: { ETag: undefined, 'Content-Location': undefined },
    },
    'nothing there: 404': { ...row, stored: null, status: 404, content: { code: 'target-not-found' } },
    'an Idempotency-Key is ignored': {
      ...row,
      options: { idempotency: 'required' },
      headers: { 'Idempotency-Key': 'not even one' },
    },
  },

  'RFC 9110 13.2: the preconditions of DELETE': {
    'If-Match holds': { ...row, headers: { 'If-Match': PRESENT } },
    'If-Match does not: 412 with the tag': {
      method: 'DELETE',
      headers: { 'If-Match': '"other"' },
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed' },
    },
    'If-Match is weak: 412': {
      method: 'DELETE',
      headers: { 'If-Match': `W/${PRESENT}` },
      status: 412,
      content: { code: 'precondition-failed' },
    },
    'If-None-Match: * is what cannot hold': {
      method: 'DELETE',
      headers: { 'If-None-Match': '*' },
      status: 412,
      content: { code: 'precondition-failed' },
    },
    'none where one is required: 428, RFC 6585 3': {
      method: 'DELETE',
      options: { precondition: 'required' },
      status: 428,
      content: { code: 'precondition-required' },
    },
    'nothing there: 404 before 412, 13.2.1': {
      ...row,
      stored: null,
      headers: { 'If-Match': '"other"' },
      status: 404,
      content: { code: 'target-not-found' },
    },
  },

  'who may delete': {
    'may says no: 403': {
      method: 'DELETE',
      options: { may: (req) => req.method !== 'DELETE' },
      status: 403,
      content: { code: 'forbidden' },
    },
    'may says no, and nothing is there: 403': {
      ...row,
      stored: null,
      options: { may: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'authorize says no: 403, after the preconditions': {
      method: 'DELETE',
      options: { authorize: () => false },
      status: 403,
      content: { code: 'forbidden' },
    },
    'a false precondition is told first': {
      method: 'DELETE',
      headers: { 'If-Match': '"other"' },
      options: { authorize: () => false },
      status: 412,
    },
    'authorize is told that nothing would be left': {
      ...row,
      options: { authorize: (_req, { next, changed }) => next === undefined && changed.join() === '' },
    },
  },
};
