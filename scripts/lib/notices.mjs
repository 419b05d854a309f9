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

/**
 * The Apache License is long, and the same for all. Its terms are repeated with the first library only.
 * @param {string} name @param {string} text @param {Map<string, string>} known
 */
function withoutKnownTerms(name, text, known) {
  const [terms = ''] = /\s*Apache License\s+Version 2\.0.*?END OF TERMS AND CONDITIONS/s.exec(text) ?? [];
  if (terms === '') return text;
  const first = known.get(terms.replaceAll(/\s+/g, ' '));
  if (first !== undefined)
    return text.replace(terms, `\n\nThe terms of the Apache License, as above for ${first}.`).trim();
  known.set(terms.replaceAll(/\s+/g, ' '), name);
  return text;
}

/**
 * The name, license, and texts of each library.
 * @param {string} root the folder with node_modules @param {readonly string[]} files what was bundled and copied
 */
export function noticesOf(root, files) {
  /** @type {Map<string, string>} the first library with these terms, by the terms without line breaks */
  const known = new Map();
  const parts = librariesOf(files).map((name) => {
    const folder = join(root, 'node_modules', name);
    const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
    const texts = readdirSync(folder)
      .filter((file) => LICENSE.test(file))
      .map((file) => withoutKnownTerms(name, readFileSync(join(folder, file), 'utf8').trim(), known));
    return [`${name} ${version} (${license})`, ...texts].join('\n\n');
  });
  return `K3 Chat contains these libraries.\n\n${parts.join(`\n\n${'-'.repeat(80)}\n\n`)}\n`;
}
