/**
 * A URL, or a header that contains one, without secrets: its user info, the values of its query and its fragment
 * can contain a password, a token or a code, and become an ellipsis. The names in the query stay.
 */
export function hideSecrets(text: string): string {
  return (
    text
      // Browsers read a backslash as a slash, and also take no slash, or one, after `https:` (URL 4.4).
      .replace(/(?<=[\\/]{2})[^\\/?#]*@/g, '…@')
      .replace(/^([a-z][a-z\d+.-]*:[\\/]?)[^\\/?#]*@/i, '$1…@')
      .replace(/#.*/s, '#…')
      // `?1` alone is a boolean (RFC 9651 3.3.6), as in Origin-Agent-Cluster.
      .replace(/\?(?![01]$).*/s, (query) =>
        query.replace(/(?<=[?&])(?:([^=&#]*=)[^&#]*|[^&#]+)/g, (_value, name = '') => `${String(name)}…`),
      )
  );
}
