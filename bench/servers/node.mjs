import { createServer } from 'node:http';

/** Ends 200, with no work. */
export const bare = () => createServer((_req, res) => res.end());
