import type { NoInfer } from '../config/no-infer';
import { declareAcceptPatch } from '../express/handler-metadata';
import type { Middleware } from '../http/middleware';
import type { ResourceStore } from '../stores/contract/resource-store';
import type { PatchParser } from './formats/patch-parser';
import { createChangeHandler } from './handle';
import type { PatchHandlerOptions } from './handler-options';
import { patchSettings, type PatchSettings } from './settings';

/**
 * Creates a handler that answers PATCH (RFC 5789), or PUT with the option `method`, on the route where it is
 * mounted. It applies the patch to the stored value if the request's preconditions hold, and writes the
 * result only if no other write has come in between. Refusals are answered with a problem document (RFC
 * 9457).
 *
 * @param store - where the resources are stored
 * @param parsers - the patch formats, in the order of Accept-Patch
 * @throws ConfigurationError with every mistake in the options
 *
 * @example
 * ```ts
 * app.patch('/notes/:id', patchHandler(notes, [jsonPatch(), mergePatch()], { key: 'id' }));
 * ```
 */
export function patchHandler<T>(
  store: ResourceStore<T>,
  parsers: readonly PatchParser<NoInfer<T>>[],
  options: PatchHandlerOptions<NoInfer<T>> = {},
): Middleware {
  const settings = patchSettings(store, parsers, options);
  return settings.options.method === 'PUT' ? createChangeHandler(settings, 'PUT') : createPatch(settings);
}

/** The handler of PATCH, from checked options. */
export function createPatch<T>(settings: PatchSettings<T>): Middleware {
  return declareAcceptPatch(createChangeHandler(settings, 'PATCH'), settings.formats.mediaTypes);
}
