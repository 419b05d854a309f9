import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { Ajv } from 'ajv';
import { describe, it } from 'mocha';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const manifestText = read('package.json');
const manifest = JSON.parse(manifestText);
const words: Record<string, string> = JSON.parse(read('package.nls.json'));
const source = globSync(['src/extension.ts', 'src/editor/*/*.ts']).map((file) => readFileSync(file, 'utf8'));
const editor = source.join('\n');
const { contributes } = manifest;
/** Characters of Chinese and Japanese are as wide as two others. */
const widthOf = (text: string) => [...text].reduce((sum, one) => sum + (one > '\u2e7f' ? 2 : 1), 0);

describe('The manifest', () => {
  const declared: string[] = contributes.commands.map(({ command }: { command: string }) => command);
  /** Those whose code is loaded later are in lists. */
  const lists = [...editor.matchAll(/(?:registerLater\(|COMMANDS = )\[([^\]]*)\]/g)].map(([, list]) => list);
  const registered = [
    ...editor.matchAll(/registerCommand\(\s*'(k3\.[\w.]+)'/g),
    ...lists.join().matchAll(/'(k3\.[\w.]+)'/g),
  ].map(([, command]) => command);

  it('declares exactly the commands that the code registers', () => {
    assert.deepEqual([...declared].sort(), [...new Set(registered)].sort());
  });

  it('has an ellipsis in titles of commands that ask for input, not where the item of the menu says all', () => {
    const titleOf = (id: string): string => {
      const [found] = contributes.commands.filter(({ command }: { command: string }) => command === id);
      return words[found.title.slice(1, -1)] ?? '';
    };
    const ofTimeline: { command: string }[] = contributes.menus['timeline/item/context'];
    assert.deepEqual(
      ofTimeline.map(({ command }) => titleOf(command)),
      ['Review Commit'],
    );
    assert.equal(titleOf('k3.reviewCommit'), 'Review Commit…');
    const titles = Object.entries(words).filter(([key]) => key.startsWith('command.'));
    assert.deepEqual(
      titles.filter(([, title]) => /\.\.\.|…./.test(title)),
      [],
    );
  });

  it('says what is not available in Restricted Mode, where something is not', () => {
    const { supported, description } = manifest.capabilities.untrustedWorkspaces;
    assert.equal(supported, editor.includes('isTrusted') ? 'limited' : true);
    assert.match(words[description.slice(1, -1)] ?? '', /^Not available: .*tools/);
  });

  it('sets the category K3 for all commands', () => {
    for (const command of contributes.commands) assert.equal(command.category, 'K3', command.command);
  });

  it('has a schema for each setting that takes its default, and a list of files for the instructions', () => {
    const ajv = new Ajv({ strict: false });
    const settings = contributes.configuration.properties;
    for (const [name, schema] of Object.entries<{ default: unknown }>(settings))
      assert.ok(ajv.validate(schema, schema.default), name);
    const takes = (value: unknown) => ajv.validate(settings['k3.instructions'], value);
    assert.deepEqual(['on', 'off', ['docs/style.md'], []].map(takes), [true, true, true, true]);
    assert.deepEqual(['auto', [1], {}].map(takes), [false, false, false]);
  });

  it('has only declared commands and submenus in its menus', () => {
    const inMenus = Object.values<{ command?: string; submenu?: string }[]>(contributes.menus).flat();
    const submenus = contributes.submenus.map(({ id }: { id: string }) => id);
    for (const { command, submenu } of inMenus)
      assert.ok(declared.includes(command ?? '') || submenus.includes(submenu), command ?? submenu);
  });

  it('has the commands that change code in the Command Palette while a chat in a tab is active, which is read-only', () => {
    const items: { command: string; when?: string }[] = contributes.menus.commandPalette;
    const changing = items.filter(({ when = '' }) => when.includes('activeEditorIsReadonly'));
    assert.deepEqual(changing.map(({ command }) => command.slice(3)).sort(), [
      'document',
      'editHere',
      'fix',
      'refactor',
      'resolveConflict',
    ]);
    for (const { command, when } of changing)
      assert.match(
        when ?? '',
        /\(!activeEditorIsReadonly \|\| activeWebviewPanelId == k3\.chatPanel\)/,
        command,
      );
  });

  it('has the buttons of rows in their context menus, too, which can be opened by keyboard', () => {
    const items: { command: string; when: string; group: string }[] = contributes.menus['view/item/context'];
    const isButton = ({ group }: { group: string }) => group.startsWith('inline');
    const named = ({ command, when }: { command: string; when: string }) => `${command} ${when}`;
    const inMenus = items.filter((item) => !isButton(item)).map(named);
    assert.deepEqual(
      items
        .filter(isButton)
        .map(named)
        .filter((button) => !inMenus.includes(button)),
      [],
    );
  });

  it('has a text for every %key%, and no unused texts', () => {
    const used = [...manifestText.matchAll(/"%([\w.]+)%"/g)].map(([, key]) => key ?? '');
    assert.deepEqual([...new Set(used)].sort(), Object.keys(words).sort());
  });

  it('has every text that people read in package.nls.json, except for names', () => {
    const names = new Set(['K3', 'K3 Chat']);
    const views = Object.values<{ name: string }[]>(contributes.views).flat();
    const shown = [...textsOf(contributes), ...views.map(({ name }) => name)];
    assert.deepEqual(
      shown.filter((text) => !/^%[\w.]+%$/.test(text) && !names.has(text)),
      [],
    );
    assert.match(manifest.description, /^%/);
  });

  it('has a description of the walkthrough that is shown whole: three short lines in a window of 1,400 pixels', () => {
    for (const language of ['', '.de', '.es', '.fr', '.ja', '.zh-cn']) {
      const texts = JSON.parse(read(`package.nls${language}.json`));
      assert.ok(widthOf(texts['walkthrough.description']) <= 76, language);
    }
  });

  it('has titles of steps of the walkthrough that are shown whole while they are closed, there as well', () => {
    const steps: { title: string }[] = contributes.walkthroughs[0].steps;
    for (const language of ['', '.de', '.es', '.fr', '.ja', '.zh-cn']) {
      const texts: Record<string, string> = JSON.parse(read(`package.nls${language}.json`));
      for (const { title } of steps) {
        const text = texts[title.slice(1, -1)] ?? '';
        assert.ok(widthOf(text) <= 31, `${language} ${text}`);
      }
    }
  });

  it('declares only settings that settings.ts reads', () => {
    const settings = read('src/editor/settings/settings.ts');
    for (const key of Object.keys(contributes.configuration.properties)) {
      assert.match(settings, new RegExp(`'${key.replace('k3.', '').replaceAll('.', '\\.')}'`), key);
    }
  });

  it('does not let a workspace change where a request goes or what it costs', () => {
    for (const [key, setting] of Object.entries<{ scope: string }>(contributes.configuration.properties)) {
      // A workspace may say which of its own files are instructions.
      if (key !== 'k3.reasoning.inChat' && key !== 'k3.instructions')
        assert.equal(setting.scope, 'application', key);
    }
  });

  it('has only existing commands, views, and pictures in the steps of the walkthrough', () => {
    const [{ steps }] = contributes.walkthroughs;
    assert.deepEqual(
      steps.map(({ id }: { id: string }) => id),
      ['route', 'key', 'ask', 'reasoning', 'review', 'warnings'],
    );
    const views: string[] = contributes.views.k3.map(({ id }: { id: string }) => `${id}.focus`);
    const known = [...declared, ...views, 'workbench.actions.view.problems'];
    const completed: Readonly<Record<string, readonly string[]>> = {
      // The editor checks the step off when the command is started, so it must be one that asks nothing and doesn't fail.
      onCommand: ['k3.tryDemo'],
      onContext: [...editor.matchAll(/createContextKey\('(k3\.[\w.]+)'/g)].map(([, key]) => key ?? ''),
      onSettingChanged: Object.keys(contributes.configuration.properties),
      onStepSelected: [''],
    };
    for (const { id, media, completionEvents } of steps) {
      const text = words[`walkthrough.${id}.description`] ?? '';
      const commands = [...text.matchAll(/\(command:([^)]+)\)/g)].map(([, command]) => command ?? '');
      assert.ok(commands.length > 0, id);
      for (const command of commands) assert.ok(known.includes(command), `${id}: ${command}`);
      for (const event of completionEvents) {
        const [kind = '', name = ''] = event.split(':');
        assert.ok(completed[kind]?.includes(name), `${id}: ${event}`);
      }
      assert.doesNotMatch(
        read(media.svg),
        /<(?:script|style|image|foreignObject)|href|https?:(?!\/\/www\.w3)/,
      );
    }
  });

  it('says in each empty tree view, with every filter, what appears there, and only buttons with existing commands', () => {
    interface Welcome {
      readonly view: string;
      readonly contents: string;
      readonly when?: string;
    }
    const all: readonly Welcome[] = contributes.viewsWelcome;
    const conditionsOf = (view: string) =>
      all.flatMap((one) => (one.view === view ? (one.when ?? 'true') : []));
    assert.deepEqual(conditionsOf('k3.reasoning'), ['true']);
    const filter = /ONLY_WORKSPACE = '(k3\.\w+)'/.exec(editor)?.[1];
    assert.deepEqual(conditionsOf('k3.conversations'), [`!${filter}`, `${filter}`]);
    for (const { contents } of all) {
      const text = words[contents.replaceAll('%', '')] ?? '';
      const commands = [...text.matchAll(/\(command:([^)]+)\)/g)].map(([, command]) => command ?? '');
      assert.ok(text !== '' && commands.every((command) => declared.includes(command)), text);
    }
  });

  it('checks a step of the walkthrough off when a later one shows that it is done', () => {
    const [{ steps }] = contributes.walkthroughs;
    const eventsOf = (step: string): readonly string[] =>
      steps.find(({ id }: { id: string }) => id === step).completionEvents;
    // The demo needs no key.
    for (const step of ['route', 'ask'])
      for (const later of ['ask', 'reasoning', 'review'])
        for (const event of eventsOf(later)) assert.ok(eventsOf(step).includes(event), `${step}: ${event}`);
    for (const event of eventsOf('key')) assert.ok(eventsOf('route').includes(event), event);
  });

  it('says in buttons of the walkthrough what the command is called', () => {
    const texts = Object.entries(words).filter(([key]) => /^walkthrough\..*\.description$/.test(key));
    for (const [, text] of texts)
      for (const [, label, command] of text.matchAll(/\[([^\]]+)\]\(command:k3\.(\w+)\)/g))
        if (command !== 'focusChat') assert.equal(label, words[`command.${command}`]);
  });

  it('does not activate the extension on startup', () => {
    assert.ok(
      !manifest.activationEvents.includes('*') && !manifest.activationEvents.includes('onStartupFinished'),
    );
  });
});

/** Properties whose value is shown. */
const SHOWN =
  /^(?:title|shortTitle|label|description|markdownDescription|deprecationMessage|markdownDeprecationMessage|contents|category|displayName|fullName|userDescription|placeholder|altText|enumDescriptions|markdownEnumDescriptions|enumItemLabels)$/;
/** What the model gets. */
const FOR_THE_MODEL = 'inputSchema';

/** The texts of a part of the manifest that are shown. */
function textsOf(part: unknown, property = ''): readonly string[] {
  if (typeof part === 'string') return SHOWN.test(property) ? [part] : [];
  if (Array.isArray(part)) return part.flatMap((one) => textsOf(one, property));
  if (typeof part !== 'object' || part === null || property === FOR_THE_MODEL) return [];
  return Object.entries(part).flatMap(([key, value]) => textsOf(value, key));
}
