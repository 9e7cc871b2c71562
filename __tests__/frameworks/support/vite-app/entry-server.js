export const render = (path) => `<p>${path}</p>`;
