import type tldts from 'tldts';

/**
 * Whether subdomains of this host can belong to others: it is a public suffix (`com`, `co.uk`, `github.io`),
 * or its subdomains are (`run.app`), by the list at publicsuffix.org, private domains included. Names under
 * localhost resolve to the loopback address (RFC 6761 6.3), so they belong to the app's own machine.
 *
 * The list is loaded only when a pattern is checked, because that takes 20 milliseconds and 6 MB.
 */
export function isSharedBySubdomains(hostname: string): boolean {
  const host = hostname.replace(/\.$/, '');
  if (/(?:^|\.)localhost$/.test(host)) return false;
  const { getPublicSuffix } = require('tldts') as typeof tldts;
  const ofPlatforms = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  const suffix = getPublicSuffix(`any.${host}`, ofPlatforms) ?? '';
  return suffix.length >= host.length;
}

/**
 * The public suffix of a host name, private domains included; undefined if the list has none for it, as for
 * names of an internal network.
 */
export function listedSuffix(hostname: string): string | undefined {
  const { parse } = require('tldts') as typeof tldts;
  const ofPlatforms = { allowPrivateDomains: true, extractHostname: false, validateHostname: false };
  const { publicSuffix, isIcann, isPrivate } = parse(hostname, ofPlatforms);
  return isIcann === true || isPrivate === true ? (publicSuffix ?? undefined) : undefined;
}

/**
 * The domain that its owner has registered: the last labels of a host name, by the public suffix list without
 * private domains; undefined for a single label. Platforms such as `netlify.app` assign the names below them,
 * and reserve those that end with the name of a site.
 */
export function registrableDomain(hostname: string): string | undefined {
  const { getDomain } = require('tldts') as typeof tldts;
  return getDomain(hostname, { extractHostname: false, validateHostname: false }) ?? undefined;
}
