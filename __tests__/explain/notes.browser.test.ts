/** Remarks of `explainCors` on what a browser keeps: cookies and preflights, each beside what Chromium does. */
import { explainCors } from 'patch-options/explain';
import { BrowserPages } from '../cors/browser-pages';
import { describeInChromium } from '../support/chromium';

describeInChromium('what a browser keeps of an answer', () => {
  const pages = new BrowserPages();
  let sameSite: string;
  let crossSite: string;

  beforeAll(async () => {
    await pages.open();
    crossSite = await pages.origin();
    sameSite = (await pages.origin()).replace('127.0.0.1', 'localhost');
  });
  afterAll(() => pages.close());

  /** A browser keeps cookies for all ports of a host. */
  let cookies = 0;
  const ignored =
    /^Browsers ignore the cookie c\d: the page is of another site, and it has no SameSite=None\. Write/;

  test.each<{
    readonly attributes: string;
    readonly from?: 'same site';
    readonly isSent: boolean;
    readonly notes: readonly RegExp[];
  }>([
    { attributes: '', isSent: false, notes: [ignored] },
    { attributes: 'SameSite=Lax', isSent: false, notes: [ignored] },
    { attributes: 'Secure; SameSite=Strict; Path=/', isSent: false, notes: [ignored] },
    {
      attributes: 'SameSite=None',
      isSent: false,
      notes: [/^Browsers ignore the cookie c\d: SameSite=None needs Secure\.$/],
    },
    {
      attributes: 'samesite = none; secure',
      isSent: true,
      notes: [
        /^Safari, and browsers that block third-party cookies, ignore the cookie c\d: .*Add Partitioned/,
      ],
    },
    { attributes: 'SameSite=None; Secure; Partitioned', isSent: true, notes: [] },
    { attributes: '', from: 'same site', isSent: true, notes: [] },
    { attributes: 'SameSite=Strict; HttpOnly', from: 'same site', isSent: true, notes: [] },
    { attributes: 'Secure', from: 'same site', isSent: true, notes: [] },
  ])('a cookie with "$attributes", $from: sent back $isSent', async ({ attributes, from, isSent, notes }) => {
    const page = from === undefined ? crossSite : sameSite;
    const name = `c${cookies++}`;
    const came: (string | undefined)[] = [];
    const service = await pages.serve((req, res) => {
      came.push(req.headers.cookie);
      res
        .setHeader('Access-Control-Allow-Origin', page)
        .setHeader('Access-Control-Allow-Credentials', 'true');
      res.setHeader('Set-Cookie', `${name}=1; ${attributes}`).end();
    });
    const url = service.url.replace('127.0.0.1', 'localhost');
    for (let i = 0; i < 2; i++) await pages.fetch(page, url, { credentials: 'include', cache: 'no-store' });
    expect(came.map((value) => value?.includes(name) ?? false)).toEqual([false, isSent]);
    const asked = { origin: page, method: 'GET', path: '/', credentials: true };
    const explained = await explainCors(url, asked);
    expect(explained.allowed).toBe(true);
    expect(explained.notes).toEqual(notes.map((note) => expect.stringMatching(note) as string));
    const without = await explainCors(url, { ...asked, credentials: false });
    expect(without.notes).toEqual([]);
  });

  const allows = {
    'Access-Control-Allow-Methods': 'PUT',
    'Access-Control-Allow-Headers': 'x-a, authorization',
  };

  test.each<{
    readonly fields: Readonly<Record<string, string>>;
    readonly preflights: number;
    readonly notes: readonly RegExp[];
  }>([
    { fields: { ...allows, 'Access-Control-Max-Age': '600' }, preflights: 1, notes: [] },
    { fields: allows, preflights: 1, notes: [/^The browser keeps the preflight for five seconds only/] },
    {
      fields: { ...allows, 'Access-Control-Max-Age': '0' },
      preflights: 2,
      notes: [/^The browser sends a preflight before every request: Access-Control-Max-Age is 0\.$/],
    },
    {
      fields: { ...allows, 'Access-Control-Max-Age': '-1' },
      preflights: 2,
      notes: [/Access-Control-Max-Age is -1\.$/],
    },
    {
      fields: { ...allows, 'Access-Control-Max-Age': '600', 'Access-Control-Allow-Headers': '*' },
      preflights: 2,
      notes: [
        /^Unlike the Fetch standard, Chromium lets '\*' cover Authorization, but asks again before every request\.$/,
      ],
    },
  ])('$fields: $preflights preflights for two requests', async ({ fields, preflights, notes }) => {
    const service = await pages.serve((req, res) => {
      res.setHeader('Access-Control-Allow-Origin', '*');
      if (req.method === 'OPTIONS')
        for (const [name, value] of Object.entries(fields)) res.setHeader(name, value);
      res.end();
    });
    const headers = { authorization: 'Bearer a', 'x-a': '1' };
    for (let i = 0; i < 2; i++) await pages.fetch(crossSite, service.url, { method: 'PUT', headers });
    expect(service.requests.filter((line) => line.startsWith('OPTIONS'))).toHaveLength(preflights);
    const explained = await explainCors(service.url, { origin: sameSite, method: 'PUT', path: '/', headers });
    expect(explained.notes).toEqual(notes.map((note) => expect.stringMatching(note) as string));
  });
});
