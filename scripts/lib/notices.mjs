/** The licenses of the libraries that are part of the package, which most of them require to be passed on. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const LICENSE = /^(?:licen[cs]e|copying|notice)(?:[.-].*)?$/i;

/** The libraries of files in node_modules, as `NAME` or `@SCOPE/NAME`, sorted. @param {readonly string[]} files */
export function librariesOf(files) {
  const names = files.flatMap((file) => {
    const [, name] = /.*node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(file.replaceAll('\\', '/')) ?? [];
    return name === undefined ? [] : [name];
  });
  return [...new Set(names)].sort();
}

/** Terms of licenses that most libraries have in common, without the title and the names of the authors. */
const TERMS = [
  /\s*Apache License\s+Version 2\.0.*?END OF TERMS AND CONDITIONS(?:\s+APPENDIX: .*?same "printed page" as the copyright notice for easier\s+identification within third-party archives\.)?/s,
  /Permission is hereby granted, free of charge.*?\bIN\s+THE\s+SOFTWARE\./s,
  /Redistribution and use in source and binary forms.*?POSSIBILITY\s+OF\s+SUCH\s+DAMAGE\./s,
];

/**
 * The text of a license, without terms that an earlier library has word for word.
 * @param {string} name @param {string} text @param {Map<string, string>} known
 */
function withoutKnownTerms(name, text, known) {
  for (const pattern of TERMS) {
    const [terms = ''] = pattern.exec(text) ?? [];
    if (terms === '') continue;
    const words = terms.replaceAll(/\s+/g, ' ').trim();
    const first = known.get(words);
    if (first !== undefined) return text.replace(terms, `\n\nThe terms are as above for ${first}.`).trim();
    known.set(words, name);
  }
  return text;
}

/**
 * Replaces the text of a Creative Commons license, which is longer than all others, by a link, which is enough for that license.
 * @param {string} text
 */
function withLink(text) {
  if (!/^\uFEFF?Attribution 4\.0 International\n/.test(text)) return text;
  const address = 'https://creativecommons.org/licenses/by/4.0/legalcode';
  return `Creative Commons Attribution 4.0 International License: ${address}`;
}

/** Whether a file has a license that isn't used, because a library has two and the Apache License is chosen. @param {string} license */
const isOtherChoice = (license, /** @type {string} */ file) =>
  /\bMPL-2\.0 OR Apache-2\.0\b/.test(license) && /-MPL\b/.test(file);

/**
 * The name, license, and texts of each library.
 * @param {string} root the folder with node_modules @param {readonly string[]} files what was bundled and copied
 */
export function noticesOf(root, files) {
  /** @type {Map<string, string>} the first library with these terms, by their words */
  const known = new Map();
  const parts = librariesOf(files).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => LICENSE.test(file) && !isOtherChoice(license, file))
      .map((file) => withLink(readFileSync(join(folder, file), 'utf8').replaceAll('\r\n', '\n').trim()))
      .map((text) => withoutKnownTerms(name, text, known));
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `K3 Chat contains these libraries.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
