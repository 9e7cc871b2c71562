import { NEW, PRESENT, resource, type PatchTable } from '../../support/patch-table';

const bread = { ...resource, title: 'Buy bread' };

/** Whether the state is still the one that the client knows. */
export const preconditions: Readonly<Record<string, PatchTable>> = {
  'RFC 9110 13: preconditions': {
    'If-Match with the present tag': {
      headers: { 'If-Match': PRESENT },
      status: 204,
      answers: { ETag: NEW },
      after: bread,
    },
    'If-Match with the present tag among others': {
      headers: { 'If-Match': `"a,b", ${PRESENT}` },
      status: 204,
      after: bread,
    },
    'If-Match with another: 412 with the present ETag': {
      headers: { 'If-Match': '"stale"' },
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed', status: 412 },
    },
    'If-Match with the tag made weak: 412, 13.1.1, which says so': {
      headers: { 'If-Match': `"other", W/${PRESENT}` },
      status: 412,
      answers: { ETag: PRESENT },
      content: {
        detail: expect.stringMatching(/^If-Match failed: the entity tag is weak,.* Send the ETag/),
      },
    },
    'If-Match with another tag, made weak: 412, which says that it is weak, and not to write over what is there now':
      {
        headers: { 'If-Match': 'W/"other"' },
        status: 412,
        content: {
          detail: expect.stringContaining(
            'the entity tag is weak, but writes need a strong one. GET the resource',
          ),
        },
      },
    'If-Match: *': { headers: { 'If-Match': '*' }, status: 204, after: bread },
    'If-Match without quotes: 400, which says so': {
      headers: { 'If-Match': 'abc' },
      status: 400,
      content: { code: 'precondition-malformed', detail: expect.stringContaining('quotes') },
    },
    'If-Match that is empty: 412, 13.1.1, which says so': {
      headers: { 'If-Match': '' },
      status: 412,
      answers: { ETag: PRESENT },
      content: { code: 'precondition-failed', detail: expect.stringContaining('contains no entity tag') },
    },
    'If-Match of empty elements alone: 412, 5.6.1.2': {
      headers: { 'If-Match': ', ,' },
      status: 412,
      answers: { ETag: PRESENT },
    },
    'If-None-Match that is empty excludes nothing, 13.1.2': {
      headers: { 'If-None-Match': '' },
      status: 204,
      after: bread,
    },
    'If-None-Match with the present tag: 412': { headers: { 'If-None-Match': PRESENT }, status: 412 },
    'If-None-Match with another': { headers: { 'If-None-Match': '"other"' }, status: 204, after: bread },
    'If-Unmodified-Since that holds': {
      headers: { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'If-Unmodified-Since that does not: 412': {
      headers: { 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      status: 412,
      answers: { ETag: PRESENT },
    },
    'If-Unmodified-Since beside If-Match has no say, 13.1.4': {
      headers: { 'If-Match': PRESENT, 'If-Unmodified-Since': 'Sat, 01 Jan 2000 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'If-Unmodified-Since that is no date has no say, 13.1.4': {
      headers: { 'If-Unmodified-Since': 'yesterday' },
      status: 204,
      after: bread,
    },
    'If-Modified-Since has no say in a PATCH, 13.1.3': {
      headers: { 'If-Modified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 204,
      after: bread,
    },
    'entityTag keeps the tags that your app’s GET already sends': {
      options: { entityTag: () => '"mine"' },
      headers: { 'If-Match': '"mine"' },
      status: 204,
      answers: { ETag: NEW },
      after: bread,
    },
    '412 goes before 400': { headers: { 'If-Match': '"stale"' }, body: 'no JSON', status: 412 },
    '412 goes before 422': {
      headers: { 'If-Match': '"stale"' },
      options: { readOnly: ['/title'] },
      status: 412,
    },
  },

  'RFC 6585 3: a precondition is required': {
    'none: 428, not to be stored': {
      options: { precondition: 'required' },
      status: 428,
      answers: { 'Cache-Control': 'no-store' },
      content: { code: 'precondition-required' },
    },
    'If-Match': {
      options: { precondition: 'required' },
      headers: { 'If-Match': PRESENT },
      status: 204,
      after: bread,
    },
    'If-Match that does not hold: 412': {
      options: { precondition: 'required' },
      headers: { 'If-Match': '"stale"' },
      status: 412,
    },
    'If-Unmodified-Since alone, with its one second, is none': {
      options: { precondition: 'required' },
      headers: { 'If-Unmodified-Since': 'Fri, 01 Jan 2100 00:00:00 GMT' },
      status: 428,
    },
    'If-None-Match with a tag protects nothing': {
      options: { precondition: 'required' },
      headers: { 'If-None-Match': '"other"' },
      status: 428,
    },
  },
};
