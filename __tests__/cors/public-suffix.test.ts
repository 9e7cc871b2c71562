import { isSharedBySubdomains } from '../../lib/cors/public-suffix';
import { corsPreflight, type CorsOptions } from '../../lib';
import { mistakesOf } from '../support/mistakes-of';

describe('whose sub-domains strangers can have: the public suffix list', () => {
  test.each([
    { title: 'a top-level domain', hosts: ['com', 'uk', 'museum', 'com.'] },
    { title: 'a suffix of a registry', hosts: ['co.uk', 'com.au', 'k12.ca.us'] },
    { title: 'one in punycode', hosts: ['xn--55qx5d.cn', 'xn--p1ai'] },
    {
      title: 'a platform (private domains)',
      hosts: [
        'github.io',
        'vercel.app',
        'netlify.app',
        'pages.dev',
        'workers.dev',
        'herokuapp.com',
        'web.app',
      ],
    },
    {
      title: 'a host whose sub-domains are suffixes (wildcard rules)',
      hosts: ['ck', 'kawasaki.jp', 'compute.amazonaws.com', 'run.app'],
    },
    { title: 'a name that is in no list', hosts: ['corp', 'internal', 'localhosts'] },
  ])('$title', ({ hosts }) => {
    expect(hosts.filter((host) => !isSharedBySubdomains(host))).toEqual([]);
  });

  test.each([
    { title: "an app's own domain", hosts: ['example.com', 'example.co.uk', 'a.b.example.com'] },
    {
      title: 'its place on a platform',
      hosts: ['mine.github.io', 'mine.vercel.app', 'deep.mine.vercel.app'],
    },
    { title: 'an exception of a wildcard rule', hosts: ['www.ck', 'city.kawasaki.jp'] },
    { title: 'the loopback (RFC 6761 6.3)', hosts: ['localhost', 'localhost.', 'app.localhost'] },
    { title: 'names of a private network', hosts: ['svc.cluster.local', 'intra.corp'] },
  ])('not of $title', ({ hosts }) => {
    expect(hosts.filter(isSharedBySubdomains)).toEqual([]);
  });
});

describe('patterns on them', () => {
  const suffixes = ['https://*.co.uk', 'https://*.github.io', 'https://*.vercel.app:*', 'http://*.run.app'];

  test.each(suffixes)('%s is a mistake, with credentials or without', (origin) => {
    for (const options of [{ origin }, { origin: [origin], credentials: true }]) {
      const codes = mistakesOf(() => corsPreflight(options)).map(({ code }) => code);
      expect(codes).toContain('cors-origin-public-suffix');
    }
  });

  test.each(['https://co.uk', 'https://github.io', 'http://vercel.app:*'])('%s itself is none', (origin) => {
    expect(mistakesOf(() => corsPreflight({ origin }))).toEqual([]);
  });
});

describe('the list is loaded', () => {
  const loadsFor = (options: CorsOptions): number => {
    const loaded = jest.fn();
    jest.isolateModules(() => {
      jest.doMock('tldts', () => {
        loaded();
        return jest.requireActual<object>('tldts');
      });
      const { corsPreflight: fresh } = jest.requireActual<{ corsPreflight: typeof corsPreflight }>(
        '../../lib/cors/cors-preflight',
      );
      fresh(options);
    });
    jest.dontMock('tldts');
    return loaded.mock.calls.length;
  };

  test('where a pattern of sub-domains is checked', () => {
    expect(loadsFor({ origin: ['https://*.example.com', 'https://*.example.org'] })).toBe(1);
  });

  test.each<{ readonly title: string; readonly options: CorsOptions }>([
    { title: 'no pattern', options: { origin: ['https://a.example', () => true] } },
    { title: 'a pattern of ports', options: { origin: 'http://localhost:*' } },
    { title: 'sub-domains of localhost', options: { origin: 'http://*.localhost:*' } },
  ])('and not for $title', ({ options }) => {
    expect(loadsFor(options)).toBe(0);
  });
});
