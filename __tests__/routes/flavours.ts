import express5 from 'express';
import express4 from 'express4';
import router23 from 'router';
import router22 from 'router22';
import type { Flavour } from './route-trees';

/** Every router that the library knows, each with the path syntax of its release. */
export const flavours: readonly Flavour[] = [
  { name: 'Express 5', version: 5, router: (plan) => express5.Router(plan), app: () => express5() },
  { name: 'Express 4', version: 4, router: (plan) => express4.Router(plan), app: () => express4() },
  { name: 'router 2.3', version: 5, router: (plan) => router23(plan) },
  { name: 'router 2.2', version: 5, router: (plan) => router22(plan) },
];
