/** Asks Chromium and `explainCors` the same. */
import {
  request as send,
  type IncomingHttpHeaders,
  type OutgoingHttpHeaders,
  type RequestListener,
} from 'node:http';
import { explainCors, type Explanation } from 'patch-options/explain';
import { BrowserPages, type Service } from '../cors/browser-pages';
import { describeInChromium } from '../support/chromium';
import { seed } from '../support/seed';
import { Dice, randomQuestion, type Places, type RandomQuestion } from './random-apps';

/** What Chromium's console says of a step, and the codes that say the same. */
export const consoleTexts: readonly (readonly [RegExp, RegExp])[] = [
  [/HTTP ok status/, /^cors-preflight-status$/],
  [/Redirect is not allowed for a preflight/, /^cors-preflight-redirected$/],
  [
    /No 'Access-Control-Allow-Origin'/,
    /^cors-(?:no-allow-origin|mounted-late|origin-.*|predicate-.*|headers-.*)$/,
  ],
  [/must not be the wildcard/, /^cors-credentials-not-allowed$/],
  [/'Access-Control-Allow-Credentials' header/, /^cors-credentials-not-allowed$/],
  [/multiple values|not equal to the supplied origin|contains the invalid value/, /^cors-other-origin$/],
  [/Method \S+ is not allowed by/, /^cors-method-not-allowed$/],
  [/Request header field \S+ is not allowed/, /^cors-header-not-allowed$/],
  [/Cannot parse/, /^cors-list-malformed$/],
];

interface Browsed {
  readonly allowed: boolean;
  /** The methods and paths that reached the servers. */
  readonly sent: readonly string[];
  readonly said: string;
}

type Target = Parameters<typeof explainCors>[0];

/** A random app, and what to ask it. */
export interface AskableApp {
  readonly app: RequestListener;
  /** What `explainCors` can be passed instead of the app. */
  readonly targets: readonly Target[];
  /** The parts of the app in their order. */
  readonly parts: readonly string[];
  readonly paths: readonly string[];
}

/** The part of a request that differs with the question. */
export function lineOf(
  method: string,
  path: string,
  read: (name: string) => string | string[] | undefined,
): string {
  const { 0: pathname = '' } = path.split('?');
  const names = ['origin', 'access-control-request-method', 'access-control-request-headers'];
  const fields = names.map((name) => String(read(name) ?? '-'));
  const secret = read('authorization') === undefined ? '' : ' with Authorization';
  return `${method} ${pathname} ${fields.join(' ')}${secret}`;
}

/**
 * Puts random questions to random apps, in Chromium and to `explainCors`, and compares the verdict, the requests and the step.
 *
 * @param kinds - how many different codes must have come up
 */
export function describeQuestions(
  title: string,
  wanted: number,
  kinds: number,
  createApp: (dice: Dice, places: Places) => AskableApp | Promise<AskableApp>,
): void {
  describeInChromium(title, () => {
    const pages = new BrowserPages();
    const dice = new Dice(seed);
    let places: Places;
    let other: Service;
    /** What reached the target, and what reached the other server. */
    const log: { readonly target: string[]; readonly other: string[] } = { target: [], other: [] };
    const errors = jest.spyOn(console, 'error').mockImplementation();
    const warnings = jest.spyOn(process, 'emitWarning').mockImplementation();

    beforeAll(async () => {
      await pages.open();
      other = await pages.serve((req, res) => {
        log.other.push(lineOf(req.method ?? '', req.url ?? '', (name) => req.headers[name]));
        if (req.url !== '/cors-less') {
          res.setHeader('Access-Control-Allow-Origin', req.headers.origin ?? '*');
          res.setHeader('Access-Control-Allow-Credentials', 'true');
          res.setHeader('Access-Control-Allow-Methods', 'PUT, PATCH, DELETE');
          res.setHeader('Access-Control-Allow-Headers', req.headers['access-control-request-headers'] ?? '');
          res.setHeader('Access-Control-Max-Age', '0');
        }
        res.end();
      });
      const page = await pages.origin();
      places = { page, stranger: page.replace('127.0.0.1', 'localhost'), other: other.url };
    });
    afterAll(async () => {
      await pages.close();
      errors.mockRestore();
      warnings.mockRestore();
    });

    /** A preflight that the browser keeps would be none for the next question. */
    const unkept =
      (app: RequestListener): RequestListener =>
      (req, res) => {
        res.setHeader('Access-Control-Max-Age', '0');
        app(req, res);
      };

    const recorded =
      (listener: RequestListener): RequestListener =>
      (req, res) => {
        log.target.push(lineOf(req.method ?? '', req.url ?? '', (name) => req.headers[name]));
        listener(req, res);
      };

    /** Changes some headers of the answers of a service, as proxies do. */
    function proxy(
      to: string,
      change: (headers: OutgoingHttpHeaders, from: IncomingHttpHeaders) => void,
    ): RequestListener {
      return (req, res) => {
        const { method, url, headers } = req;
        const forwarded = send(new URL(to).origin, { method, path: url, headers, agent: false });
        // The path as it is: `url` would be resolved.
        forwarded.path = url ?? '/';
        req.pipe(forwarded).on('response', (answer) => {
          const fields: OutgoingHttpHeaders = { ...answer.headers };
          change(fields, headers);
          answer.pipe(res.writeHead(answer.statusCode ?? 502, fields));
        });
      };
    }

    let queries = 0;

    async function browse(service: Service, question: RandomQuestion): Promise<Browsed> {
      const { from, method, path, headers, credentials, upload } = question;
      const origin = from === 'stranger' ? places.stranger : places.page;
      log.target.length = log.other.length = 0;
      const url = `${service.url}${path}?${queries++}`;
      const said: string[] = [];
      const stop = await pages.listenToConsole(origin, (text) => said.push(text));
      let allowed: boolean;
      if (upload) {
        allowed = await pages.uploads(origin, url, method);
      } else {
        const init = {
          method,
          headers,
          credentials: credentials ? 'include' : 'omit',
          cache: 'no-store',
        } as const;
        allowed = !('failed' in (await pages.fetch(origin, url, init, from === 'frame')));
      }
      // What the console says comes by another way than the result.
      while (!allowed && !said.some((text) => /CORS policy|net::ERR_(?!FAILED)/.test(text)))
        await pages.pause(origin);
      stop();
      return { allowed, sent: [...log.target, ...log.other], said: said.join('\n') };
    }

    const originOf = ({ from }: RandomQuestion): string =>
      from === 'frame' ? 'null' : from === 'stranger' ? places.stranger : places.page;

    /** The requests of an explanation: those to the target, and those to the other server. */
    function requestLines({ requests }: Explanation): readonly string[] {
      const isTo = (url: string, text: string): boolean => text.includes(`\nHost: ${new URL(url).host}\n`);
      const toOther = requests.filter((text) => isTo(other.url, text));
      const toTarget = requests.filter((text) => !isTo(other.url, text) && !isTo(places.page, text));
      const ordered = [...toTarget, ...toOther];
      return ordered.map((text) => {
        const [sent = ''] = text.split('\n\n');
        const [, method = '', path = ''] = /^(\S+) (\S+)/.exec(sent) ?? [];
        return lineOf(method, path, (name) => new RegExp(`^${name}: (.*)$`, 'im').exec(sent)?.[1]);
      });
    }

    /** What differs from the browser; undefined if nothing does. */
    function difference(
      { method }: RandomQuestion,
      browsed: Browsed,
      explained: Explanation,
      isSent: boolean,
      parts: readonly string[],
    ): unknown {
      const { allowed, code, step, notes } = explained;
      // Chromium goes on where the standard does not, or the other way round: a note says so.
      if (notes.some((note) => note.startsWith('Unlike the Fetch standard, Chromium'))) {
        tally.departures++;
        return undefined;
      }
      // What is mounted late is known at the preflight: the request is not sent, although the browser sends it.
      const isForeseen = step?.startsWith('CORS check') === true;
      const isAsked = isSent || (!allowed && !isForeseen);
      const [, codes] = consoleTexts.find(([text]) => text.test(browsed.said)) ?? [];
      const sameStep = allowed || browsed.allowed || codes === undefined || codes.test(code);
      const lines = requestLines(explained);
      // The browser follows it: what it makes of the other address is another question.
      if (code === 'cors-redirected') {
        const first = browsed.sent.slice(0, lines.length);
        return JSON.stringify(lines) === JSON.stringify(first) ? undefined : { browsed, lines, parts };
      }
      const isLower = method !== method.toUpperCase();
      const sameRequests = isAsked
        ? JSON.stringify(lines) === JSON.stringify(browsed.sent)
        : JSON.stringify(lines) === JSON.stringify(browsed.sent.slice(0, lines.length)) &&
          // Node refuses a method in lower case before it calls anything.
          (browsed.sent.length > lines.length || isLower);
      const sameVerdict = allowed === browsed.allowed || (allowed && !isSent);
      return sameVerdict && sameStep && sameRequests
        ? undefined
        : { browsed, explained: { ...explained, lines, instance: undefined }, isSent, parts };
    }

    const tally = { questions: 0, allowed: 0, preflights: 0, departures: 0 };
    const codes = new Map<string, number>();
    const differences: object[] = [];

    test(`${wanted} questions`, async () => {
      while (tally.questions < wanted && differences.length < 10) {
        const { app, targets, parts, paths } = await createApp(dice, places);
        const listener = unkept(app);
        if (dice.chance(0.25)) {
          const behind = await pages.serve(listener);
          const change = dice.pick<Parameters<typeof proxy>[1]>([
            (headers) => void delete headers['access-control-allow-origin'],
            (headers) => void Object.assign(headers, { 'access-control-allow-origin': '*' }),
            (headers) => void delete headers['access-control-allow-headers'],
            (headers, { origin }) =>
              void Object.assign(headers, { 'access-control-allow-origin': [origin ?? '*', origin ?? '*'] }),
            () => undefined,
          ]);
          const front = await pages.serve(recorded(proxy(behind.url, change)));
          await askAll(front, front.url, paths, [...parts, `behind a proxy: ${String(change)}`]);
        } else {
          const service = await pages.serve(recorded(listener));
          await askAll(service, dice.chance(0.3) ? service.url : dice.pick(targets), paths, parts);
        }
      }
      expect(differences).toEqual([]);
      console.log(JSON.stringify(tally), JSON.stringify([...codes]));
      // Each kind of verdict has come up.
      expect(codes.size).toBeGreaterThanOrEqual(kinds);
      expect(tally.allowed).toBeGreaterThan(tally.questions / 10);
    });

    async function askAll(
      service: Service,
      target: Target,
      paths: readonly string[],
      parts: readonly string[],
    ) {
      for (let i = 0; i < 10; i++) {
        const question = randomQuestion(dice, paths);
        const browsed = await browse(service, question);
        const { method, path, headers, credentials, upload } = question;
        const asked = { method, path, headers, credentials, upload };
        const isUpper = method === method.toUpperCase();
        const isRead = method === 'GET' || method === 'HEAD';
        for (const sends of isRead || !isUpper ? [isRead] : [false, true]) {
          const explained = await explainCors(target, {
            ...asked,
            origin: originOf(question),
            ...(sends && !isRead ? { send: true, ...(upload ? { body: 'a' } : {}) } : {}),
          });
          const differs = difference(question, browsed, explained, sends, parts);
          if (differs !== undefined) differences.push({ question, ...differs });
          codes.set(explained.code, (codes.get(explained.code) ?? 0) + 1);
        }
        tally.questions++;
        tally.allowed += Number(browsed.allowed);
        tally.preflights += Number(browsed.sent[0]?.startsWith('OPTIONS'));
      }
    }
  });
}
