import type { OptionsCheck } from '../configuration';
import { keepsOutcomes } from '../stores/outcome-store';
import type { ResourceStore } from '../stores/resource-store';
import type { OutcomeBounds, PatchHandlerOptions } from './patch-handler-options';

/** What each bound may be, in whole numbers from 1 on. */
const bounds: Readonly<Record<keyof OutcomeBounds, { most: number; fix: string }>> = {
  keep: { most: Number.MAX_SAFE_INTEGER, fix: 'Give how many, a whole number over 0.' },
  maxAge: { most: 31_536_000, fix: 'Give seconds, a whole number over 0 and up to 31536000, a year.' },
};

/** What `idempotency` needs, and what needs it. */
export function checkIdempotency<T>(
  store: ResourceStore<T>,
  { idempotency, outcomes, scope }: PatchHandlerOptions<T>,
  check: OptionsCheck,
): void {
  if (idempotency !== undefined && !keepsOutcomes(store)) {
    const fix = 'Take a store of this package, or one of your own that is an OutcomeStore.';
    check.mistake('idempotency', idempotency, 'needs a store that keeps outcomes, which this is not', fix);
  }
  for (const [name, value] of Object.entries({ outcomes, scope })) {
    if (value === undefined || idempotency !== undefined) continue;
    const fix = "Write idempotency: 'optional' or 'required' too.";
    check.mistake(name, value, 'has no use without idempotency', fix);
  }
  if (typeof outcomes !== 'object') return;
  check.names(outcomes, Object.keys(bounds), 'outcomes.');
  const given: Readonly<Record<string, unknown>> = { ...outcomes };
  for (const [name, { most, fix }] of Object.entries(bounds)) {
    const value = given[name];
    if (value === undefined) continue;
    const isBound = Number.isSafeInteger(value) && Number(value) >= 1 && Number(value) <= most;
    if (!isBound) check.mistake(`outcomes.${name}`, value, 'is no bound', fix);
  }
}
