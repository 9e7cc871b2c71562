import type { RequestHandler } from 'express';

/**
 * Answers GET / of the API with a description and a link to the page.
 *
 * @param page - returns the address of the page, once it is known
 */
export function welcome(page: () => string | undefined): RequestHandler {
  return (_req, res) => {
    const address = page();
    const json = (): void => {
      const title = 'The notes API of the patch-options example';
      res.json({ title, notes: '/notes', ...(address !== undefined && { page: address }) });
    };
    const html = (): void => {
      res.set('Content-Security-Policy', "default-src 'none'").send(renderPage(address));
    };
    // The first is for clients that accept anything, such as curl; browsers ask for HTML.
    res.format({ json, html, default: json });
  };
}

function renderPage(page: string | undefined): string {
  const use = page === undefined ? '' : `To see it in use, open <a href="${page}">its page</a>.`;
  return `<!doctype html>
<html lang="en">
  <meta charset="utf-8">
  <meta name="viewport" content="width=device-width, initial-scale=1">
  <meta name="color-scheme" content="light dark">
  <title>Notes API · patch-options</title>
  <h1>Notes API</h1>
  <p>This is the API of the patch-options example. ${use}</p>
  <p>The notes are at <a href="/notes">/notes</a>.</p>
</html>
`;
}
