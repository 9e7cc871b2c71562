import type { IncomingMessage } from 'node:http';

/** What is read and dropped after a refusal before the connection is given up. */
const bounds = { bytes: 16_777_216, milliseconds: 5_000 };

/**
 * Reads the rest of a request and drops it; calls `done` once, when the request has ended or the bounds are reached.
 * Beyond them the connection is not read any further, so a refused upload costs what the bounds say.
 */
export function drain(req: IncomingMessage, done: () => void): void {
  let dropped = 0;
  const drop = (chunk: Buffer): void => {
    dropped += chunk.length;
    if (dropped > bounds.bytes) giveUp();
  };
  const finish = (): void => {
    clearTimeout(timer);
    req.off('data', drop).off('end', finish).off('close', finish);
    done();
  };
  const giveUp = (): void => {
    finish();
    req.pause();
    req.socket.destroySoon();
  };
  const timer = setTimeout(giveUp, bounds.milliseconds);
  req.on('data', drop).once('end', finish).once('close', finish);
  req.resume();
}
