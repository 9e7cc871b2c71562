import mongoose from 'mongoose';
import { createRequire } from 'node:module';

/** The types of a package under another name are not found: they declare the module `mongoose`. */
const mongoose8 = createRequire(__filename)('mongoose8') as typeof mongoose;

/** The major releases that are supported. A schema must be made by the release that compiles it. */
export const releases = [
  { release: 9, mongoose },
  { release: 8, mongoose: mongoose8 },
] as const;
