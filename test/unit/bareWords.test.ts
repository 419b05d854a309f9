/** Everything that people read can be translated. Texts for the model stay English: `docs/translating.md`. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'mocha';
import { sources } from '../../scripts/lib/l10n.mjs';
import { USAGE_WORDS } from '../../src/panel/usage.ts';
import { PANEL_WORDS } from '../../src/panel/words.ts';
import { findBareWords, findFilledForms } from '../support/bareWords.ts';

const read = (file: string) => readFileSync(new URL(`../../${file}`, import.meta.url), 'utf8');
const words = new Set<string>([...PANEL_WORDS, ...USAGE_WORDS]);

/** Files whose texts are for the model: tools with their results, prompts, and messages of a request. */
const FOR_THE_MODEL = [
  'codeTools editTool fileTools gitTools installedTools planTool shownMatches textSearch toolFileAccess toolDefinitions toolImages toolResources toolbox'
    .split(' ')
    .map((name) => `src/editor/tools/${name}.ts`),
  'context/context context/terminalOutput otherChats/otherCallsText otherChats/otherMessages otherChats/otherParts prompts/codePrompts prompts/codeSections prompts/reviewPrompts prompts/reviewRemarks rounds toolCalls/callCheck toolCalls/planCalls toolCalls/runCalls toolCalls/toolText requestMessages/continuation requestMessages/sentCalls requestMessages/transcript'
    .split(' ')
    .map((name) => `src/conversation/${name}.ts`),
].flat();
/** Files with texts for programs and for those who look into a fault. */
const TECHNICAL = [
  'src/panel/contentSecurityPolicy.ts',
  'src/editor/diagnostics/diagnosticsReport.ts',
  'src/editor/storage/globalState.ts',
];

const checked = ['src/editor', 'src/webview', 'src/panel', 'src/conversation'].flatMap((folder) => [
  ...sources(folder),
]);

describe('A text that people read', () => {
  it('comes from vscode.l10n or from the tables of words of the pages', () => {
    const bare = checked
      .filter((file) => ![...FOR_THE_MODEL, ...TECHNICAL].includes(file))
      .flatMap((file) => findBareWords(file, read(file), words).map((found) => `${file}:${found}`));
    assert.deepEqual(bare, []);
  });

  it('is left out of the search only in files that there are', () => {
    for (const file of [...FOR_THE_MODEL, ...TECHNICAL]) assert.ok(checked.includes(file), file);
  });

  it('is in a table of words only if a page shows it', () => {
    const pages = ['src/webview', 'src/panel']
      .flatMap((folder) => [...sources(folder)])
      .map(read)
      .join('\n');
    const tables: readonly (readonly string[])[] = [PANEL_WORDS, USAGE_WORDS];
    const isShown = (word: string) =>
      pages.split(`'${word}'`).length - 1 > tables.filter((table) => table.includes(word)).length;
    assert.deepEqual(
      [...words].filter((word) => !isShown(word)),
      [],
    );
  });

  it('does not get its values from vscode.l10n if it has plural forms, which that doesn’t know', () => {
    const filled = checked.flatMap((file) =>
      findFilledForms(file, read(file)).map((found) => `${file}:${found}`),
    );
    assert.deepEqual(filled, []);
  });
});

describe('The search for bare words', () => {
  // § stands for the sign of a value, which the linter takes for a mistake in a plain string.
  const find = (line: string) =>
    findBareWords('src/a.ts', `const t = vscode.l10n.t;\n${line.replaceAll('§', '$')}`);

  for (const line of [
    "show('No route is selected.')",
    "show('Failed')",
    "item.label = 'Try again…';",
    'show(`§{count} files`)',
    'show(`About §{name}`)',
    'show(`§{seconds} s`)',
    "show(t('{0} of {1}', 'the workspace'))",
    "throw new Error('The file is too large.')",
    'html`<p>No results</p>`',
    'html`<button aria-label="Close">§{icon}</button>`',
    "const markup = '<p>No results</p>';",
  ])
    it(`finds the one in ${line}`, () => assert.equal(find(line).length, 1, find(line).join('\n')));

  for (const line of [
    "show(t('No route is selected.'))",
    "show(vscode.l10n.t('Failed'))",
    "word('Close')",
    "import { a } from 'no words here';",
    "inBackground(log, save(), 'saving the routes')",
    "log.warn('the routes are invalid')",
    "if (name === 'the workspace') {}",
    "type Name = 'the workspace';",
    'const key = `hunk §{id}`;',
    'html`<p class="a b">§{word}</p>`',
    '// For the model.\nsend(`line §{line}`)',
    'send(`line §{line}`) // Not translated: a header.',
    "document.querySelector('.composer textarea')",
    "const product = 'svc-k3';",
  ])
    it(`finds none in ${line.replaceAll('\n', ' ')}`, () => assert.deepEqual(find(line), []));

  it('finds values that are given to a text with plural forms too early', () => {
    const text = "'{0, plural, one {# file} other {# files}}'";
    assert.equal(findFilledForms('src/a.ts', `vscode.l10n.t(${text}, 2)`).length, 1);
    assert.equal(findFilledForms('src/a.ts', `plural(vscode.l10n.t(${text}), 2)`).length, 0);
  });
});
