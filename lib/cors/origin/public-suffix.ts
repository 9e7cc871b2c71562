import type tldts from 'tldts';

/**
 * Whether strangers can have sub-domains of this host: it is a public suffix (`com`, `co.uk`, `github.io`), or its
 * sub-domains are (`run.app`), by the list at publicsuffix.org, private domains included. Every name under localhost is
 * the loopback (RFC 6761 6.3), and so the app's own.
 *
 * The list is loaded here, and so only where a pattern is checked: it costs 20 milliseconds and 6 MB.
 */
export function isSharedBySubdomains(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(host)) return false;
  const { getPublicSuffix } = require('tldts') as typeof tldts;
  const ofPlatforms = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  const suffix = getPublicSuffix(`any.${host}`, ofPlatforms) ?? '';
  return suffix.length >= host.length;
}
