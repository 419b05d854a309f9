/**
 * Gives markdown-it the entities that Chromium knows, in the chat: its own table is 23 KB. They are parsed as the text of
 * a `textarea`, in which no element begins.
 */
const ofThePage = `
  const area = document.createElement('textarea');
  const NAMED = /&[a-z][a-z0-9]{1,31};/gi;
  export const decodeHTMLStrict = (text) => text.replace(NAMED, (reference) => {
    area.innerHTML = reference;
    const decoded = area.textContent;
    // Of \`&ampx;\`, Chromium reads the beginning. CommonMark doesn't.
    return decoded.endsWith(';') && reference !== '&semi;' ? reference : decoded;
  });
`;

/** @type {import('esbuild').Plugin} */
export const pageEntities = {
  name: 'page-entities',
  setup(build) {
    build.onResolve({ filter: /^entities$/ }, ({ importer }) =>
      /[\\/]markdown-it[\\/]/.test(importer) ? { path: 'page', namespace: 'page-entities' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'page-entities' }, () => ({ contents: ofThePage }));
  },
};
