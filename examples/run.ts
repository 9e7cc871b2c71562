/** Runs one of the examples beside it, each of which listens on port 3000: `npm run example minimal`. */
import { join } from 'node:path';

const [, , name = ''] = process.argv;

process.once('uncaughtException', (error) => {
  const isPortInUse = 'code' in error && error.code === 'EADDRINUSE';
  console.error(
    isPortInUse
      ? 'Port 3000 is already in use. Stop the process that uses it, such as `npm start`, and try again.'
      : error,
  );
  process.exit(1);
});

console.log(`${name}: http://127.0.0.1:3000`);
void import(join(__dirname, name));
