import { patch } from './works/patch.mjs';
import { get, options, preflight, preflightHostile, preflightListener } from './works/preflight.mjs';

export const works = [preflight, preflightListener, preflightHostile, options, get, patch];
