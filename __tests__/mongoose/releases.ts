import mongoose from 'mongoose';
import { createRequire } from 'node:module';
import { isDeep } from '../support/deep-scale';

/** The types of a package under another name are not found: they declare the module `mongoose`. */
const mongoose8 = createRequire(__filename)('mongoose8') as typeof mongoose;

const supported = [
  { release: 9, mongoose },
  { release: 8, mongoose: mongoose8 },
] as const;

/** The newest major release, and in the project `deep` all that are supported. A schema must be made by the release that compiles it. */
export const releases = isDeep() ? supported : supported.slice(0, 1);
