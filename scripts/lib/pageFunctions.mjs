/** Replaces tables and code of markdown-it in the chat by functions of Chromium. */

/** Named characters. The table of markdown-it is 23 KB. Chromium parses them as the text of a `textarea`, which has no elements. */
const ENTITIES = `
  const area = document.createElement('textarea');
  const NAMED = /&[a-z][a-z0-9]{1,31};/gi;
  export const decodeHTMLStrict = (text) => text.replace(NAMED, (reference) => {
    area.innerHTML = reference;
    const decoded = area.textContent;
    // Of \`&ampx;\`, Chromium reads the beginning. CommonMark doesn't.
    return decoded.endsWith(';') && reference !== '&semi;' ? reference : decoded;
  });
`;

/** Host names in the form in which they are looked up. Texts show it, too, because other letters can look like those of another host. */
const HOST_NAMES = `
  export default {
    toASCII: (host) => URL.parse('http://' + host)?.hostname ?? host,
    toUnicode: (host) => host,
  };
`;

/** The modules that markdown-it imports, by their names. */
const MODULES = new Map([
  ['entities', ENTITIES],
  ['punycode.js', HOST_NAMES],
]);

/** @type {import('esbuild').Plugin} */
export const pageFunctions = {
  name: 'page-functions',
  setup(build) {
    build.onResolve({ filter: /^(entities|punycode\.js)$/ }, ({ path, importer }) =>
      /[\\/]markdown-it[\\/]/.test(importer) ? { path, namespace: 'page-functions' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'page-functions' }, ({ path }) => ({
      contents: MODULES.get(path) ?? '',
    }));
  },
};
