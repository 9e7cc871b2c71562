import type { NoInfer } from '../config/no-infer';
import type { Middleware } from '../http/middleware';
import type { PatchParser } from './formats/patch-parser';
import { declareAcceptPatch } from '../express/handler-metadata';
import type { ResourceStore } from '../stores/contract/resource-store';
import { changeTarget } from './change-target';
import { createHandler } from './exchange';
import type { PatchHandlerOptions } from './options/handler-options';
import type { PatchRequest } from '../http/routed-request';
import { patchSettings, type PatchSettings } from './options/settings';
import { chosenFormat } from './request';
import { createPutHandler } from './put-handler';

/**
 * Creates a handler that answers PATCH (RFC 5789), or with the option `method` PUT, on the route it is mounted
 * on. It applies the patch to the
 * stored value if the request's preconditions hold, and writes the result only if no other write has come in
 * between. Refusals are answered with a problem document (RFC 9457).
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
  return settings.method === 'PUT'
    ? createPutHandler(settings, settings.formats, false)
    : createPatch(settings);
}

/** The handler of PATCH, from checked options. */
export function createPatch<T>(settings: PatchSettings<T>): Middleware {
  const { formats } = settings;
  const accepted = { 'Accept-Patch': formats.mediaTypes.join(', ') };
  const chooseFormat = (req: PatchRequest) => chosenFormat(formats, req, accepted);
  const method = { chooseFormat, maySendTag: undefined, isWhole: false };
  const handler = createHandler(settings, ['PATCH'], (exchange) => changeTarget(settings, method, exchange));
  return declareAcceptPatch(handler, formats.mediaTypes);
}
