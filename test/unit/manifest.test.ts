import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { describe, it } from 'mocha';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const manifestText = read('package.json');
const manifest = JSON.parse(manifestText);
const words: Record<string, string> = JSON.parse(read('package.nls.json'));
const source = globSync(['src/extension.ts', 'src/editor/*/*.ts']).map((file) => readFileSync(file, 'utf8'));
const editor = source.join('\n');
const { contributes } = manifest;

describe('The manifest', () => {
  const declared: string[] = contributes.commands.map(({ command }: { command: string }) => command);
  const registered = [...editor.matchAll(/registerCommand\(\s*'(k3\.[\w.]+)'/g)].map(
    ([, command]) => command,
  );

  it('declares exactly the commands that the code registers', () => {
    assert.deepEqual([...declared].sort(), [...new Set(registered)].sort());
  });

  it('sets the category K3 for all commands', () => {
    for (const command of contributes.commands) assert.equal(command.category, 'K3', command.command);
  });

  it('has only declared commands and submenus in its menus', () => {
    const inMenus = Object.values<{ command?: string; submenu?: string }[]>(contributes.menus).flat();
    const submenus = contributes.submenus.map(({ id }: { id: string }) => id);
    for (const { command, submenu } of inMenus)
      assert.ok(declared.includes(command ?? '') || submenus.includes(submenu), command ?? submenu);
  });

  it('has a text for every %key%, and no unused texts', () => {
    const used = [...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(words).sort());
  });

  it('declares only settings that settings.ts reads', () => {
    const settings = read('src/editor/base/settings.ts');
    for (const key of Object.keys(contributes.configuration.properties)) {
      assert.match(settings, new RegExp(`'${key.replace('k3.', '').replaceAll('.', '\\.')}'`), key);
    }
  });

  it('does not let a workspace change where a request goes or what it costs', () => {
    for (const [key, setting] of Object.entries<{ scope: string }>(contributes.configuration.properties)) {
      if (key !== 'k3.reasoning.inChat') assert.equal(setting.scope, 'application', key);
    }
  });

  it('does not activate the extension on startup', () => {
    assert.ok(
      !manifest.activationEvents.includes('*') && !manifest.activationEvents.includes('onStartupFinished'),
    );
  });
});
