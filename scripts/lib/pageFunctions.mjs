/** Gives markdown-it, in the chat, what Chromium knows in place of tables and code of its own. */

/** Its own table is 23 KB. They are parsed as the text of a `textarea`, in which no element begins. */
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

/** Names of hosts in the form in which they are looked up. In a text, they stay in it: other letters can look like those of another host. */
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
