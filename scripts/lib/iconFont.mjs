/** Bundles of the editor's icon font only the icons that the sources name. */
import { readdirSync, readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import subsetFont from 'subset-font';

/** A rule of the style sheet: the names of an icon, and its character as a hexadecimal number. */
const RULE = /^\.codicon-([\w-]+):before \{ content: "\\([\da-f]+)" \}\n?/gm;

/**
 * A whole string, its first word, or the word after `codicon-`. A word that is no name of an icon has no rule. A word that is the name
 * of an icon but is used for something else keeps one icon too many.
 */
const WORD = /(?:['"`]?codicon-|['"`])([a-z][\da-z-]*)(?=['"` ])/g;

/**
 * The style sheet without the icons that the sources don't name, and the characters of those that remain.
 * @param {string} css @param {string} sources
 */
export function namedIcons(css, sources) {
  const named = new Set([...sources.matchAll(WORD)].map(([, name]) => name));
  /** @type {Set<string>} */
  const characters = new Set();
  const kept = css.replace(RULE, (rule, name, code) => {
    if (!named.has(name)) return '';
    characters.add(String.fromCodePoint(Number.parseInt(code, 16)));
    return rule;
  });
  return { css: kept, characters: [...characters].join('') };
}

const fontFolder = (/** @type {string} */ root) => join(root, 'node_modules/@vscode/codicons/dist');

/** The icons that the sources of a checkout name. */
export function iconsOf(/** @type {string} */ root) {
  return namedIcons(
    readFileSync(join(fontFolder(root), 'codicon.css'), 'utf8'),
    readdirSync(join(root, 'src'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts'))
      .map((file) => readFileSync(join(root, 'src', file), 'utf8'))
      .join('\n'),
  );
}

const NAMESPACE = 'icon-font';

/** @param {string} root the checkout @returns {import('esbuild').Plugin} */
export function iconFont(root) {
  return {
    name: 'icon-font',
    setup(build) {
      build.onLoad({ filter: /codicons[\\/]dist[\\/]codicon\.css$/ }, () => ({
        contents: iconsOf(root).css.replace('codicon.ttf', 'codicon.woff2').replace('truetype', 'woff2'),
        loader: 'css',
      }));
      // The package has only the WOFF2 form of the font, which is smaller.
      build.onResolve({ filter: /codicon\.woff2/ }, ({ path }) => ({
        path: join(fontFolder(root), 'codicon.woff2'),
        suffix: path.slice(path.indexOf('.woff2') + '.woff2'.length),
        namespace: NAMESPACE,
      }));
      build.onLoad({ filter: /./, namespace: NAMESPACE }, async () => ({
        contents: await subsetFont(
          await readFile(join(fontFolder(root), 'codicon.ttf')),
          iconsOf(root).characters,
          { targetFormat: 'woff2' },
        ),
        loader: 'file',
      }));
    },
  };
}
