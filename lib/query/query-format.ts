import type { IncomingMessage } from 'node:http';
import { OptionsCheck } from '../configuration';
import { checkMediaTypes } from '../parsers/format-table';
import { readJson } from '../parsers/json/parse';
import type { PatchLimits } from '../parsers/patch-parser';
import { invalidMembersIn, isStandardSchema, type StandardSchema } from '../request/standard-schema';
import { invalidMembers } from '../stores/contract/invalid-result';

/** What one QUERY may cost, else 413 (RFC 9110 15.5.14). */
export type QueryLimits = Pick<PatchLimits, 'bytes' | 'depth'>;

/** What a query format is told. */
export interface QueryParseContext {
  readonly limits: QueryLimits;
  /** Of Content-Type, names in lower case. */
  readonly parameters: Readonly<Record<string, string>>;
  readonly request: IncomingMessage;
}

/** A query format, as `PatchParser` is a patch format. */
export interface QueryFormat<Q = unknown> {
  /** Listed in Accept-Query (RFC 10008 3). */
  readonly mediaType: string | readonly string[];
  /**
   * Reads the content of a request (RFC 10008 2.1).
   *
   * @throws ProblemError 400 where it is not of its media type, 422 where it is, and asks for what cannot be answered
   */
  parse(content: Buffer, context: QueryParseContext): Q | Promise<Q>;
}

/** Options of `jsonQuery`. */
export interface JsonQueryOptions<Q> {
  /** The media types that are taken (RFC 10008 2.1). Default `application/json`. */
  readonly mediaType?: string | readonly string[];
  /**
   * A Standard Schema (zod, valibot, arktype) of the query: what it refuses is 422 with pointers (RFC 10008 2.1), and what it
   * makes is what `run` gets. Default: any JSON.
   */
  readonly schema?: StandardSchema<Q>;
}

const source = { name: 'The query', malformed: 'query-malformed' } as const;

/**
 * Queries in JSON, in words of your own. It is read as patches are: a member name that stands twice is 400.
 *
 * @throws ConfigurationError
 *
 * @example
 * ```ts
 * const byTag = jsonQuery({ schema: z.strictObject({ tag: z.string(), limit: z.int().max(100).default(20) }) });
 * ```
 */
export function jsonQuery<Q = unknown>(options: JsonQueryOptions<Q> = {}): QueryFormat<Q> {
  const check = new OptionsCheck('jsonQuery()');
  const { mediaType = 'application/json', schema } = check.names(options, ['mediaType', 'schema']);
  checkMediaTypes('mediaType', mediaType, check);
  if (schema !== undefined && !isStandardSchema(schema)) {
    check.mistake('schema', schema, {
      code: 'option-type',
      reason: 'must be a Standard Schema',
      fix: 'Give one of zod, valibot or arktype.',
    });
  }
  check.done();

  return {
    mediaType,
    async parse(content, { limits }) {
      const query = readJson(content, limits.depth, source);
      // Without a schema, Q is what the app says that its clients send.
      if (schema === undefined) return query as Q;
      const result = await schema['~standard'].validate(query);
      const invalid = invalidMembersIn(result);
      if (invalid !== undefined) throw invalidMembers('invalid-query', 'The query is invalid', invalid);
      return (result as { readonly value: Q }).value;
    },
  };
}
