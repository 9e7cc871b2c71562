import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { createServer, type RequestListener, type Server } from 'node:http';
import { setTimeout } from 'node:timers/promises';
import { chromium, type Browser } from 'playwright-core';
import { describeWhere } from './describe-where';
import { portOf, listen } from './serving';

/** Without a window to draw, the headless shell takes a third less processor time. */
const installed = ['/usr/bin/chromium-headless-shell', '/usr/bin/chromium'].find(existsSync);
const executablePath = process.env['CHROMIUM_PATH'] ?? installed ?? '/usr/bin/chromium-headless-shell';

const missing =
  `There is no Chromium at ${executablePath}, so nothing was tried in a real browser. ` +
  'Install it (Debian: apt-get install chromium-headless-shell), or name its path in CHROMIUM_PATH.';

/** Describes what is tried in a real browser. */
export function describeInChromium(title: string, cases: () => void): void {
  describeWhere(existsSync(executablePath), title, missing, cases);
}

/** A browser, and the servers that its pages come from and call: all is closed together. */
export class BrowserWithServers {
  readonly #servers: Server[] = [];
  /** Of those that were taken away. */
  readonly #ports = new Map<Server, number>();
  #browser: Browser | undefined;

  get browser(): Browser {
    if (this.#browser === undefined) throw new Error('The browser is not open');
    return this.#browser;
  }

  async open(): Promise<void> {
    this.#browser = await launchChromium();
  }

  async close(): Promise<void> {
    await this.#browser?.close();
    for (const server of this.#servers.splice(0)) {
      server.close();
      server.closeAllConnections();
    }
  }

  /** Ends every connection of the servers, which go on. */
  cutConnections(): void {
    for (const server of this.#servers) server.closeAllConnections();
  }

  /** Takes the servers away: until `startServers`, connections to them are refused. */
  async stopServers(): Promise<void> {
    for (const server of this.#servers) {
      this.#ports.set(server, portOf(server));
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    }
  }

  /** Puts them back on the ports that they had. */
  async startServers(): Promise<void> {
    for (const [server, port] of this.#ports) {
      await listenAgain(server, port);
      this.#ports.delete(server);
    }
  }

  /** @returns the origin */
  protected async listen(app: RequestListener): Promise<string> {
    const server = createServer(app);
    this.#servers.push(server);
    return `http://127.0.0.1:${await listen(server)}`;
  }
}

/** Another test may have been given the port meanwhile: it has it for a moment only. */
async function listenAgain(server: Server, port: number): Promise<void> {
  for (;;) {
    try {
      await once(server.listen(port, '127.0.0.1'), 'listening');
      return;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'EADDRINUSE')) throw error;
      await setTimeout(100);
    }
  }
}

/** Chromium as it comes, web security and all, but for what a container needs and what calls home. */
function launchChromium(): Promise<Browser> {
  return chromium.launch({
    executablePath,
    timeout: 180_000,
    args: [
      '--no-sandbox',
      '--disable-gpu',
      '--disable-quic',
      '--no-first-run',
      '--disable-background-networking',
      '--disable-component-update',
      '--disable-sync',
    ],
  });
}
