import type { IncomingMessage } from 'node:http';
import { anything, typed } from '../config/expectation';
import { OptionsCheck } from '../config/options-check';
import { checkMediaTypes } from '../formats/format-table';
import { readJson } from '../formats/read-json';
import type { PatchLimits } from '../formats/patch-parser';
import { isStandardSchema, type StandardSchema } from '../config/standard-schema';
import { readIssues } from '../request/schema-issues';
import { invalidMembers } from '../stores/contract/invalid-result';

/** Limits on a QUERY request. One that exceeds them is answered 413 (RFC 9110 15.5.14). */
export type QueryLimits = Pick<PatchLimits, 'bytes' | 'depth'>;

/** What `parse` of a `QueryFormat` receives in addition to the content. */
export interface QueryParseContext {
  /** The limits of `queryHandler`, defaults included. */
  readonly limits: QueryLimits;
  /** The parameters of Content-Type, by name in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  /** The request whose content is parsed. */
  readonly request: IncomingMessage;
}

/** A format in which `queryHandler` accepts queries, such as `jsonQuery()`. */
export interface QueryFormat<Q = unknown> {
  /** The media types of the format, listed in Accept-Query (RFC 10008 3). */
  readonly mediaType: string | readonly string[];
  /**
   * Parses the content of a request (RFC 10008 2.1).
   *
   * @throws ProblemError 400 if the content does not match its media type; 422 if it does, but the query
   *   cannot be answered
   */
  parse(content: Buffer, context: QueryParseContext): Q | Promise<Q>;
}

/** Options of `jsonQuery`. */
export interface JsonQueryOptions<Q> {
  /** The media types that are accepted (RFC 10008 2.1). Default `application/json`. */
  readonly mediaType?: string | readonly string[];
  /**
   * A Standard Schema (zod, valibot, arktype) for the query. A query that does not match is answered 422 with
   * JSON Pointers (RFC 10008 2.1); `run` gets the output of the schema. Default: any JSON is accepted.
   */
  readonly schema?: StandardSchema<Q>;
}

const source = { name: 'The query', malformed: 'query-malformed' } as const;

/**
 * A query format for JSON, whose members you define. Duplicate member names are answered 400.
 *
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * const byTag = jsonQuery({
 *   schema: z.strictObject({ tag: z.string(), limit: z.int().max(100).default(20) }),
 * });
 * ```
 */
export function jsonQuery<Q = unknown>(options: JsonQueryOptions<Q> = {}): QueryFormat<Q> {
  const check = new OptionsCheck('jsonQuery()');
  const { mediaType = 'application/json', schema } = check.options(options, {
    mediaType: anything,
    schema: typed(isStandardSchema, 'Pass a schema of zod, valibot or arktype.', 'must be a Standard Schema'),
  });
  checkMediaTypes('mediaType', mediaType, 'application/json', check);
  check.done();

  return {
    mediaType,
    async parse(content, { limits }) {
      const query = readJson(content, limits.depth, source);
      // Without a schema, nothing checks that the query is a Q.
      if (schema === undefined) return query as Q;
      const result = await schema['~standard'].validate(query);
      const invalid = readIssues(result);
      if (invalid !== undefined) throw invalidMembers('invalid-query', 'The query is invalid', invalid);
      return (result as { readonly value: Q }).value;
    },
  };
}
