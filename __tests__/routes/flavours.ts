import type router from 'router';
import { frameworks } from '../support/frameworks';
import type { Flavour } from './route-trees';

const ofExpress: readonly Flavour[] = frameworks.map(([name, express]) => ({
  name,
  version: name === 'Express 5' ? 5 : 4,
  router: (plan) => express.Router(plan),
  app: () => express(),
}));

/** The package router, for apps without Express: its latest release is tried with Express 5, and the oldest with Express 4. */
const packages = { 'Express 5': ['router 2.3', 'router'], 'Express 4': ['router 2.2', 'router22'] } as const;

const ofRouter: readonly Flavour[] = frameworks.map(([framework]) => {
  const [name, module] = packages[framework];
  const newRouter = require(module) as typeof router;
  return { name, version: 5, router: (plan) => newRouter(plan) };
});

/** Every router that the library knows, each with the path syntax of its release. */
export const flavours: readonly Flavour[] = [...ofExpress, ...ofRouter];
