import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { noticesOf } from '../../../scripts/lib/notices.mjs';

const TERMS = `Apache License
Version 2.0, January 2004
1. Definitions.
END OF TERMS AND CONDITIONS`;

describe('The licenses in the package', () => {
  let root: string;
  beforeEach(() => {
    root = mkdtempSync(join(tmpdir(), 'k3-notices-'));
  });
  afterEach(() => rmSync(root, { recursive: true }));

  function library(name: string, license: string, texts: Readonly<Record<string, string>>): string {
    const folder = join(root, 'node_modules', name);
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', license }));
    for (const [file, text] of Object.entries(texts)) writeFileSync(join(folder, file), text);
    return `node_modules/${name}/index.js`;
  }

  it('have the name, the license, and the text of each library', () => {
    const file = library('one', 'MIT', { LICENSE: 'Copyright (c) One\n', 'README.md': 'Read me' });
    assert.equal(
      noticesOf(root, [file, file]),
      'K3 Chat contains these libraries.\n\none 1.0.0 (MIT)\n\nCopyright (c) One\n',
    );
  });

  it('have the terms of the Apache License once', () => {
    const files = ['one', 'two'].map((name) =>
      library(name, 'Apache-2.0', { LICENSE: `${TERMS}\nOf ${name}` }),
    );
    const notices = noticesOf(root, files);
    assert.equal(notices.split('1. Definitions.').length, 2);
    assert.match(notices, /as above for one\.\nOf two/);
  });

  it('have the terms of other licenses once, where they are the same word for word', () => {
    const of = (name: string, ending: string) =>
      library(name, 'MIT', {
        LICENSE: `MIT License\n\nCopyright (c) ${name}\n\nPermission is hereby granted, free of charge, to\nanyone.\n${ending} IN THE\nSOFTWARE.`,
      });
    const notices = noticesOf(root, [of('one', 'DEALINGS'), of('two', 'DEALINGS'), of('three', 'USE')]);
    assert.equal(notices.split('hereby granted').length, 3);
    assert.match(notices, /Copyright \(c\) two\s+The terms are as above for one\.\n/);
    assert.match(notices, /USE IN THE\nSOFTWARE\./);
  });

  it('have a link in place of the text of Creative Commons, which asks for one', () => {
    const file = library('icons', 'CC-BY-4.0', {
      LICENSE: '\uFEFFAttribution 4.0 International\n\nSection 1',
      'LICENSE-CODE': 'MIT License',
    });
    const notices = noticesOf(root, [file]);
    assert.match(notices, /https:\/\/creativecommons\.org\/licenses\/by\/4\.0\/legalcode\n\nMIT License/);
    assert.doesNotMatch(notices, /Section 1/);
  });

  it('have the one of two licenses that was chosen', () => {
    const file = library('either', '(MPL-2.0 OR Apache-2.0)', { LICENSE: TERMS, 'LICENSE-MPL': 'Mozilla' });
    assert.doesNotMatch(noticesOf(root, [file]), /Mozilla/);
    assert.match(noticesOf(root, [library('mpl', 'MPL-2.0', { 'LICENSE-MPL': 'Mozilla' })]), /Mozilla/);
  });
});
