import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const root = new URL('../../', import.meta.url);
const read = (file: string) => readFileSync(new URL(file, root), 'utf8');
const pages = [...globSync('docs/guide/*.md', { cwd: root }), 'README.md'].map((file) => ({
  file,
  text: read(file).replace(/\s+/g, ' '),
}));
const { contributes } = JSON.parse(read('package.json'));
const words: Record<string, string> = JSON.parse(read('package.nls.json'));
const source = globSync('src/**/*.ts', { cwd: root }).map(read).join('\n');

describe('The guide', () => {
  it('has a page for each task, which the README names', () => {
    const [readme] = pages.slice(-1);
    for (const { file } of pages.slice(0, -1)) assert.ok(readme?.text.includes(`(${file})`), file);
    assert.ok(pages.length > 8);
  });

  it('names only commands that exist, by their titles', () => {
    const titles = Object.entries(words).flatMap(([key, title]) =>
      key.startsWith('command.') ? [title] : [],
    );
    for (const { file, text } of pages)
      for (const [, title = ''] of text.matchAll(/\*\*K3: ([^*]+)\*\*/g))
        assert.ok(titles.includes(title), `${file}: ${title}`);
  });

  it('names only settings that exist', () => {
    const settings = Object.keys(contributes.configuration.properties);
    for (const { file, text } of pages)
      for (const [, name = ''] of text.matchAll(/`(k3\.[\w.]+)`/g))
        assert.ok(settings.includes(name), `${file}: ${name}`);
  });

  it('quotes messages as the extension says them', () => {
    const [rows = []] = [[...read('docs/guide/troubleshooting.md').matchAll(/^\| ([^|`]+?) \|/gm)]];
    const messages = rows.map(([, message = '']) => message).filter((message) => message !== 'message');
    assert.ok(messages.length > 10);
    for (const message of messages) assert.ok(source.includes(`t('${message}'`), message);
  });
});
