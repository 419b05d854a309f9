/**
 * Bundles only the block parser of markdown-it, for the extension host, which reads code blocks and lists, but no links, entities, or
 * other inline text, and makes no HTML. The library is one file, in which comments name the sources of its parts.
 */
import { MARKDOWN_IT, readWithPlainFields } from './plainFields.mjs';

/** The parts that are bundled. */
const KEPT = [
  'src/common/utils.ts',
  'src/token.ts',
  'src/ruler.ts',
  'src/rules_core/normalize.ts',
  'src/rules_block/state_block.ts',
  'src/rules_block/fence.ts',
  'src/rules_block/blockquote.ts',
  'src/rules_block/list.ts',
  'src/rules_block/paragraph.ts',
  'src/parser_block.ts',
];

/** Names in the kept parts that are never called: the other rules for blocks, which stay disabled, and the functions for inline text. */
const UNUSED = `
  const never = () => { throw new Error('Only blocks are read here.'); };
  const table = never, code = never, hr = never, reference = never, html_block = never, heading = never, lheading = never;
  const decodeHTMLStrict = never, mdurl = {}, ucmicro = { P: /(?!)/, S: /(?!)/ };
`;

/** The parser with the preset `zero`, as far as src/review/answers/markdownBlocks.ts uses it. */
const PARSER = `
  export default () => {
    const block = new ParserBlock();
    block.ruler.enableOnly('paragraph');
    const md = { block, options: { maxNesting: 20 } };
    return {
      enable(rules) {
        block.ruler.enable(rules);
        return this;
      },
      parse(src, env) {
        const state = { src };
        normalize(state);
        const tokens = [];
        block.parse(state.src, md, env, tokens);
        return tokens;
      },
    };
  };
`;

/** @type {import('esbuild').Plugin} */
export const markdownBlocks = {
  name: 'markdown-blocks',
  setup(build) {
    build.onLoad({ filter: MARKDOWN_IT }, async ({ path }) => ({
      contents: blocksOf(await readWithPlainFields(path)),
    }));
  },
};

/** Throws if a part is missing, because another version of the library may have other names. */
function blocksOf(/** @type {string} */ library) {
  const parts = [...library.matchAll(/^\/\/#region (.+)\n([\s\S]*?)^\/\/#endregion$/gm)];
  const kept = KEPT.map((name) => {
    const part = parts.find(([, source]) => source === name);
    if (part?.[2] === undefined) throw new Error(`markdown-it has no part ${name}`);
    return part[2];
  });
  return [UNUSED, ...kept, PARSER].join('\n');
}
