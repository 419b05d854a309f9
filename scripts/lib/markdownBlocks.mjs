/**
 * Bundles of markdown-it only what reads blocks, for the extension host: it looks for code blocks and lists, and never for
 * links or entities, whose tables are a third of the size.
 */

const without = `
  const never = () => { throw new Error('Only blocks are read here.'); };
  export class LinkifyIt {}
  export const decodeHTMLStrict = never;
  export const parse = never, format = never, encode = never, decode = never;
  export const P = /(?!)/, S = P;
  export default { toASCII: never, toUnicode: never };
`;

/** @type {import('esbuild').Plugin} */
export const markdownBlocks = {
  name: 'markdown-blocks',
  setup(build) {
    build.onResolve({ filter: /^(linkify-it|mdurl|uc\.micro|entities|punycode\.js)$/ }, ({ importer }) =>
      /[\\/]markdown-it[\\/]/.test(importer) ? { path: 'without', namespace: 'markdown-blocks' } : undefined,
    );
    build.onLoad({ filter: /.*/, namespace: 'markdown-blocks' }, () => ({ contents: without }));
  },
};
