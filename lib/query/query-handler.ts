import type { ServerResponse } from 'node:http';
import { types } from 'node:util';
import etag from 'etag';
import type negotiator from 'negotiator';
import { shownResult } from '../config/app-callbacks';
import { OptionsCheck } from '../config/options-check';
import { declareAcceptQuery } from '../express/handler-metadata';
import { falsePrecondition } from '../http/check-preconditions';
import { mediaTypeList } from '../http/media-type-list';
import type { Middleware } from '../http/middleware';
import { ProblemError } from '../http/problem';
import { refusalNotifier } from '../http/refusal';
import { varyOn } from '../http/response-head';
import { headerPath } from '../http/target-path';
import { compileFormats } from '../formats/format-table';
import { noOptions } from '../config/prototype-pollution';
import { createContentReader } from '../request/content';
import { createHandler } from '../request/exchange';
import { chosenFormat } from '../request/format';
import type { PatchRequest } from '../http/routed-request';
import { checkQueryOptions } from './check-query-options';
import type { QueryFormat, QueryLimits } from './query-format';
import type { QueryContext, QueryHandlerOptions } from './query-options';

/**
 * Answers QUERY (RFC 10008) on the route on which it is mounted. It parses the content in the format of its
 * Content-Type, calls `run`, and answers 200 with the result and an entity tag. Errors are answered with a
 * problem document.
 *
 * @param formats - the query formats that are accepted, in the order of Accept-Query
 * @param run - returns the result, or a promise of it, and changes nothing. A ProblemError that it throws is
 *   the answer: for instance 422 for a query that cannot be answered
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * app.query?.('/notes', queryHandler([jsonQuery<{ tag: string }>()], ({ tag }) => findNotes(tag)));
 * ```
 */
export function queryHandler<Q, R>(
  formats: readonly QueryFormat<Q>[],
  run: (query: Q, context: QueryContext) => R | Promise<R>,
  options: QueryHandlerOptions<NoInfer<Q>, NoInfer<R>> = {},
): Middleware {
  const check = new OptionsCheck('queryHandler()');
  const named = {
    option: 'formats',
    kind: 'query format',
    example: 'jsonQuery()',
    mediaType: 'application/json',
  } as const;
  const table = compileFormats(formats, named, check);
  const checkedOptions = checkQueryOptions(run, options, check);
  check.done();

  const accepted = { 'Accept-Query': mediaTypeList(table.mediaTypes) };
  const limits = queryLimits(checkedOptions.limits);
  const writers = new Map<string, (result: R) => string | Uint8Array>(
    Object.entries(checkedOptions.results ?? { 'application/json': asJson }).map(([type, write]) => [
      type.toLowerCase(),
      write,
    ]),
  );
  const settings = {
    subject: check.subject,
    notifyRefused: refusalNotifier(checkedOptions.onRefused, check.subject),
    answersErrors: checkedOptions.errors !== 'next',
  };

  const readContent = createContentReader(limits);
  const chooseResult = resultChooser([...writers.keys()]);
  const handler = createHandler(settings, ['QUERY'], async ({ req, res, client }) => {
    if (req.headers['content-type'] === undefined) throw withoutContentType(accepted);
    const { format, mediaType, parameters } = chosenFormat(table, req, accepted);
    // Of a 406 as well: with another Accept there is a result.
    if (writers.size > 1) varyOn(res, 'Accept');
    const resultType = chooseResult(req);
    const { bytes } = await readContent(req);

    const query = await format.parse(bytes, { limits, parameters, request: req });
    client.throwIfGone();
    const context: QueryContext = {
      req,
      mediaType,
      get signal() {
        return client.signal;
      },
    };
    const result = await run(query, context);

    const content = toContent(resultType, writers.get(resultType)?.(result));
    const tag = createTag(content, resultType, writers.size);
    const refusal = falsePrecondition(req, () => ({ tag }), noOptions, true);
    if (refusal !== undefined && refusal.status !== 304) throw refusal;
    const paths = {
      'Content-Location': optionalPath(
        'contentLocation',
        checkedOptions.contentLocation?.(query, result, req),
      ),
      Location: optionalPath('location', checkedOptions.location?.(query, result, req)),
    };

    // A timeout middleware of the app has answered in the meantime.
    if (res.headersSent) return;
    setIfDefined(res, 'Content-Location', paths['Content-Location']);
    setIfDefined(res, 'Location', paths.Location);
    setIfDefined(res, 'Cache-Control', checkedOptions.cacheControl);
    res.setHeader('ETag', tag);
    if (refusal !== undefined) {
      res.statusCode = 304;
      res.end();
      return;
    }
    res.setHeader('Content-Type', toContentType(resultType));
    res.setHeader('Content-Length', content.length);
    res.end(content);
  });
  return declareAcceptQuery(handler, table.mediaTypes);
}

function queryLimits({ bytes = 1_048_576, depth = 100 }: Partial<QueryLimits> = noOptions): QueryLimits {
  return { bytes, depth };
}

function asJson(result: unknown): string {
  const text: unknown = JSON.stringify(result);
  if (typeof text === 'string') return text;
  throw new TypeError('run returned a value that cannot be written as JSON. Return a JSON value, or null.');
}

/** @throws TypeError if the function for this media type returned neither text nor bytes */
function toContent(type: string, written: unknown): Buffer {
  if (typeof written === 'string' || types.isUint8Array(written)) return Buffer.from(written);
  throw new TypeError(
    `The option results[${JSON.stringify(type)}] returned ${shownResult(written)}. ` +
      'Return a string or a Uint8Array.',
  );
}

/**
 * RFC 9110 8.8.1: no two media types of a result have the same strong tag, even if their content is the same.
 */
function createTag(content: Buffer, type: string, types: number): string {
  return etag(types === 1 ? content : Buffer.concat([Buffer.from(`${type}\n`), content]));
}

function optionalPath(option: string, path: unknown): string | undefined {
  return path === undefined ? undefined : headerPath(option, path);
}

/** RFC 10008 2.1: no media type is assumed. */
function withoutContentType(headers: Readonly<Record<string, string>>): ProblemError {
  const detail = `The request has no Content-Type. Send one of: ${Object.values(headers).join(', ')}.`;
  return new ProblemError(400, 'content-type-missing', detail, { headers: { ...headers } });
}

/** Returns what chooses the media type of a result by Accept, or throws a ProblemError with status 406. */
function resultChooser(available: readonly string[]): (req: PatchRequest) => string {
  const Negotiator = require('negotiator') as typeof negotiator;
  // A client can ask for the parameter that Content-Type has; a type with another one is not acceptable (RFC
  // 9110 12.5.1).
  const types = new Map(
    available.flatMap((type) => [type, toContentType(type)].map((label) => [label, type])),
  );
  const labels = [...types.keys()];
  return (req) => {
    const type = types.get(new Negotiator(req).mediaType(labels) ?? '');
    if (type !== undefined) return type;
    const detail = `The result is available only as ${available.join(', ')}. Send one of these in Accept.`;
    throw new ProblemError(406, 'not-acceptable', detail);
  };
}

function toContentType(type: string): string {
  const isText = type.startsWith('text/') || type === 'application/json' || type.endsWith('+json');
  return isText ? `${type}; charset=utf-8` : type;
}

function setIfDefined(res: ServerResponse, name: string, value: string | undefined): void {
  if (value !== undefined) res.setHeader(name, value);
}
