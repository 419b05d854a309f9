/** The texts to translate: the texts of the sources, their bundles in `l10n`, and the checks of a translation. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseSync, Visitor } from 'oxc-parser';
import { root } from './project.mjs';

/** @typedef {Readonly<Record<string, string>>} Texts */

/** The two kinds of files. Each is translated in a file whose name has the language before `.json`. */
export const ENGLISH = { manifest: 'package.nls.json', code: 'l10n/bundle.l10n.json' };

/** The names of `vscode.l10n.t` in the files of `src`, each with the declaration that it needs. */
const CALLEES = [
  { callee: 'vscode.l10n.t', declaration: '' },
  { callee: 't', declaration: 'const t = vscode.l10n.t;' },
];
const PAGE_WORDS = /_WORDS$/;

/**
 * The texts of the code: arguments of `vscode.l10n.t`, and the tables of the pages (`PANEL_WORDS`, `USAGE_WORDS`), which
 * the host translates. Both are their own keys.
 * @returns {Texts} in the order of their characters
 */
export function textsOfSources() {
  const found = sources('src').flatMap((file) => {
    const source = readFileSync(join(root, file), 'utf8');
    return /l10n\.t|_WORDS/.test(source) ? textsOf(file, source) : [];
  });
  return Object.fromEntries([...new Set(found)].sort().map((text) => [text, text]));
}

/**
 * @param {string} file
 * @param {string} source
 * @returns {string[]} the texts that `source` gives to `vscode.l10n.t`, and those of its tables of words
 */
export function textsOf(file, source) {
  const { program, errors } = parseSync(file, source);
  if (errors.length > 0) throw new Error(`${file}: ${errors[0]?.message}`);
  /** @type {string[]} */
  const found = [];
  new Visitor({
    CallExpression({ callee, arguments: [text] }) {
      if (!isTranslation(source, callee)) return;
      if (text?.type === 'Literal' && typeof text.value === 'string') found.push(text.value);
      else if (text?.type !== 'Identifier' || !file.endsWith('/panelWords.ts')) {
        throw new Error(`${file}: vscode.l10n.t needs a string, so that it can be found. Write it out.`);
      }
    },
    VariableDeclarator({ id, init }) {
      if (id.type !== 'Identifier' || !PAGE_WORDS.test(id.name)) return;
      const list = init?.type === 'TSAsExpression' ? init.expression : init;
      if (list?.type !== 'ArrayExpression') return;
      for (const one of list.elements)
        if (one?.type === 'Literal' && typeof one.value === 'string') found.push(one.value);
    },
  }).visit(program);
  return found;
}

/** @param {string} source @param {{ start: number, end: number }} callee */
export function isTranslation(source, { start, end }) {
  const name = source.slice(start, end);
  return CALLEES.some(({ callee, declaration }) => name === callee && source.includes(declaration));
}

/** @param {string} folder @returns {string[]} its TypeScript files, from the root, with `/` */
export function sources(folder) {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.ts'))
    .map((name) => `${folder}/${name.replaceAll('\\', '/')}`)
    .sort();
}

/** @param {string} file from the root @returns {Texts} none if it does not exist */
export function readTexts(file) {
  return existsSync(join(root, file)) ? JSON.parse(readFileSync(join(root, file), 'utf8')) : {};
}

/** @param {string} english the name of an English file @param {string} language */
export const translationOf = (english, language) => english.replace(/\.json$/, `.${language}.json`);

/** @returns {string[]} the languages of which there is a file */
export function languages() {
  const files = [
    ...readdirSync(root),
    ...(existsSync(join(root, 'l10n')) ? readdirSync(join(root, 'l10n')) : []),
  ];
  const found = files.flatMap((file) => /^(?:package\.nls|bundle\.l10n)\.(.+)\.json$/.exec(file)?.[1] ?? []);
  return [...new Set(found)].sort();
}

/**
 * What is wrong with a translation.
 * @param {Texts} english
 * @param {Texts} translated
 * @param {string} language
 * @returns {string[]} a line for each problem, which begins with the key
 */
export function problemsOf(english, translated, language) {
  const missing = Object.keys(english).filter((key) => !translated[key]);
  const obsolete = Object.keys(translated).filter((key) => !(key in english));
  return [
    ...missing.map((key) => `“${key}” is missing.`),
    ...obsolete.map((key) => `“${key}” is obsolete: English doesn’t have it any more.`),
    ...Object.entries(english).flatMap(([key, text]) =>
      translated[key] ? differences(text, translated[key], language).map((what) => `“${key}” ${what}`) : [],
    ),
  ];
}

/** Parts of a text that have to be the same in every language, with the name of their kind. */
const KEPT = [
  { name: 'the command links', pattern: /\]\([^)]*\)/g },
  { name: 'the icons', pattern: /\$\([\w~-]+\)/g },
  { name: 'the code', pattern: /`[^`]+`/g },
  { name: 'the setting', pattern: /\bk3\.[\w.{}]*[\w}]/g },
];

/** @param {string} english @param {string} text @param {string} language @returns {string[]} */
function differences(english, text, language) {
  const wanted = placeholders(english);
  const given = placeholders(text);
  return [
    ...(same(wanted.values, given.values)
      ? []
      : [`has the placeholders ${list(given.values)} instead of ${list(wanted.values)}.`]),
    ...pluralProblems(wanted.plurals, given.plurals, language),
    ...KEPT.flatMap(({ name, pattern }) => {
      const [before, after] = [english, text].map((one) => [...new Set(one.match(pattern))].sort());
      return before && after && same(before, after)
        ? []
        : [`changes ${name}: ${list(after ?? [])} instead of ${list(before ?? [])}.`];
    }),
    ...(/^\s|\s$/.test(text) && text.trim() !== text && english.trim() === english
      ? ['begins or ends with a space.']
      : []),
  ];
}

/** @param {readonly string[]} one @param {readonly string[]} other */
const same = (one, other) => one.join('\n') === other.join('\n');
/** @param {readonly string[]} values */
const list = (values) => (values.length === 0 ? '(none)' : values.join(', '));

/** `{0, plural, one {# file} other {# files}}`, and one of its forms. */
const PLURAL = /\{(\d+), plural, ((?:[^{}]|\{(?:[^{}]|\{\d+\})*\})*)\}/g;
const FORM = /(\w+) \{((?:[^{}]|\{\d+\})*)\}/g;

/**
 * @param {string} text
 * @returns {{ values: string[], plurals: { value: string, forms: string[], odd: boolean }[] }} the values that the text names,
 *   also in the forms of a plural, and its plurals
 */
function placeholders(text) {
  const plurals = [...text.matchAll(PLURAL)].map(([, value = '', forms = '']) => ({
    value,
    forms: [...forms.matchAll(FORM)].map(([, name = '']) => name),
    // Other text than the forms is a mistake.
    odd: forms.replaceAll(FORM, '').trim() !== '',
  }));
  const values = [...text.matchAll(/\{(\d+)(?=[,}])/g)].map(([, value]) => `{${value}}`);
  return { values: [...new Set(values)].sort(), plurals };
}

/** @param {ReturnType<typeof placeholders>['plurals']} wanted @param {ReturnType<typeof placeholders>['plurals']} given @param {string} language */
function pluralProblems(wanted, given, language) {
  const values = (/** @type {typeof wanted} */ all) => [...new Set(all.map(({ value }) => value))].sort();
  if (!same(values(wanted), values(given)))
    return [`needs the forms of a plural, as English: {0, plural, one {…} other {…}}.`];
  const needed = categories(language);
  return given.flatMap(({ forms, odd }) =>
    !odd && same([...forms].sort(), needed)
      ? []
      : [`has the plural forms ${list(forms)}, but ${language} needs ${list(needed)}, once each.`],
  );
}

/**
 * The plural categories of whole numbers in a language. French has another category, only for millions, for which `other` is
 * used.
 * @param {string} language
 */
function categories(language) {
  const known = knownCategories.get(language);
  if (known !== undefined) return known;
  const rules = new Intl.PluralRules(language);
  const used = Array.from({ length: 1000 }, (_, count) => rules.select(count));
  const found = [...new Set([...used, 'other'])].sort();
  knownCategories.set(language, found);
  return found;
}

/** @type {Map<string, readonly string[]>} */
const knownCategories = new Map();

/**
 * A text in the generated language of tests: longer words with accents, in brackets. Text without brackets can't be translated.
 * @param {string} text
 */
export function pseudo(text) {
  let at = 0;
  let longer = '';
  for (const match of text.matchAll(PLURAL)) {
    const forms = (match[2] ?? '').replaceAll(FORM, (_, name, words) => `${name} {${accented(words)}}`);
    longer += `${accented(text.slice(at, match.index))}{${match[1]}, plural, ${forms}}`;
    at = match.index + match[0].length;
  }
  return `⟦${longer}${accented(text.slice(at))}⟧`;
}

const PLAIN = 'aceinouyACEINOUY';
const ACCENTED = 'àçéïñöüýÀÇÉÏÑÖÜÝ';

/** Parts that stay in every language: placeholders, links, icons, code, settings, and addresses. */
const FIXED = /(\{\d+\}|\]\([^)]*\)|\$\([\w~-]+\)|`[^`]+`|#?\bk3\.[\w.{}]*[\w}]#?|https?:\/\/\S+)/;

/** Doubles vowels, for a text that is about 40 % longer. @param {string} text */
function accented(text) {
  const parts = text.split(FIXED);
  return parts
    .map((part, index) => (index % 2 === 1 ? part : part.replaceAll(/[aceinouy]/gi, toAccented)))
    .join('');
}

/** @param {string} letter */
function toAccented(letter) {
  const other = ACCENTED[PLAIN.indexOf(letter)] ?? letter;
  return /[aeiou]/i.test(letter) ? other + other.toLowerCase() : other;
}

/** @param {Texts} english @returns {Texts} */
export function pseudoTexts(english) {
  return Object.fromEntries(Object.entries(english).map(([key, text]) => [key, pseudo(text)]));
}
