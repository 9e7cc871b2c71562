import type tldts from 'tldts';

/**
 * Whether subdomains of this host can belong to different owners, because it is a public suffix (`com`,
 * `co.uk`, `github.io`), or its subdomains are (`run.app`), in the list at publicsuffix.org, including
 * private domains. Names under localhost resolve to the loopback address (RFC 6761 6.3), so they belong to
 * the app's own machine.
 *
 * The list is loaded only when a pattern is checked, because that takes 20 milliseconds and 6 MB.
 */
export function isSharedBySubdomains(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(host)) return false;
  const { getPublicSuffix } = require('tldts') as typeof tldts;
  const suffix = getPublicSuffix(`any.${host}`, listOptions) ?? '';
  return suffix.length >= host.length;
}

const listOptions = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };

/** The registrable domain (HTML, site); the host itself if it has none, such as an address. */
export function getRegistrableDomain(hostname: string): string {
  const { getDomain } = require('tldts') as typeof tldts;
  return getDomain(hostname, { ...listOptions, detectIp: true }) ?? hostname;
}
