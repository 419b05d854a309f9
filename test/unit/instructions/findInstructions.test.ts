import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  type ContextItem,
  contextTokens,
  type OmitReason,
} from '../../../src/conversation/context/context.ts';
import {
  findInstructions,
  type InstructionFolder,
  type InstructionsSetting,
  type ReadFile,
  stillApply,
  withinBudget,
} from '../../../src/instructions/findInstructions.ts';
import { startCpu } from '../../support/growth.ts';

const reads: string[] = [];

/** A folder with these files. A reason in place of a text means that the file is not allowed. */
function folderOf(files: Readonly<Record<string, string | { readonly why: OmitReason }>>): InstructionFolder {
  return {
    async list(folder) {
      return Object.keys(files).filter((path) => path.startsWith(`${folder}/`));
    },
    async read(paths) {
      reads.push(...paths);
      return paths.map((path): ReadFile => {
        const file = files[path];
        if (typeof file !== 'string') return file?.why;
        return { kind: 'file', label: path, uri: `file:///w/${path}`, parts: [{ label: path, text: file }] };
      });
    },
  };
}

async function find(
  files: Parameters<typeof folderOf>[0],
  asked: readonly string[] = [],
  setting: InstructionsSetting = 'on',
) {
  const { items, omitted } = await findInstructions(folderOf(files), setting, asked);
  return { found: items.map(({ label }) => label), omitted, items };
}

const rules = (applyTo: string) => ({
  '.github/instructions/a.instructions.md': `---\napplyTo: ${applyTo}\n---\nA`,
});

describe('Instructions', () => {
  it('that exceed the budget are left out, and said to be', async () => {
    const long = (characters: number) => 'a b '.repeat(characters / 4);
    const all = await find(
      {
        '.github/copilot-instructions.md': long(2000),
        'AGENTS.md': long(400_000),
        'src/AGENTS.md': long(2000),
        'src/a/AGENTS.md': long(2000),
      },
      ['src/a/b.ts'],
    );
    const [first] = all.items;
    assert.ok(first);
    const { items, omitted } = withinBudget(all, 2.5 * contextTokens(first));
    assert.deepEqual(
      items.map(({ label }) => label),
      ['.github/copilot-instructions.md', 'src/AGENTS.md'],
    );
    assert.deepEqual(omitted, [
      { label: 'AGENTS.md', why: 'over-budget' },
      { label: 'src/a/AGENTS.md', why: 'over-budget' },
    ]);
    assert.deepEqual(withinBudget(all, 1e6).items, all.items);
    // One alone has a limit of its own.
    assert.deepEqual(withinBudget(all, 1).items, [first]);
  });

  it('of which only the first 100 are looked at say how many were not', async () => {
    const names = Array.from({ length: 103 }, (_, at) => `.github/instructions/${1000 + at}.instructions.md`);
    const files = Object.fromEntries(names.map((name) => [name, 'Be brief.']));
    for (const setting of ['on', names] as const) {
      const all = await findInstructions(folderOf(files), setting, []);
      assert.deepEqual([all.omittedMore, withinBudget(all, 1e6).omittedMore], [3, 3]);
    }
    const { omittedMore } = await findInstructions(folderOf(files), names.slice(3), []);
    assert.equal(omittedMore, undefined);
  });

  it('are those of the root for every question, in a fixed order', async () => {
    const { found, items } = await find({
      'AGENTS.md': 'Be brief.',
      '.github/instructions/b.instructions.md': '---\napplyTo: "**"\n---\nB',
      '.github/instructions/a.instructions.md': '---\napplyTo: "**"\n---\nA',
      '.github/copilot-instructions.md': 'Be kind.',
      '.github/instructions/notes.md': 'no',
      'src/AGENTS.md': 'no',
    });
    assert.deepEqual(found, [
      '.github/copilot-instructions.md',
      'AGENTS.md',
      '.github/instructions/a.instructions.md',
      '.github/instructions/b.instructions.md',
    ]);
    assert.deepEqual(items[1], {
      kind: 'instructions',
      label: 'AGENTS.md',
      uri: 'file:///w/AGENTS.md',
      parts: [{ label: 'AGENTS.md', text: 'Be brief.' }],
    });
    // The front matter is about the file, and not sent.
    assert.equal(items[2]?.parts[0]?.text, 'A');
  });

  it('of nested folders are for the files below them, the nearest last', async () => {
    const files = { 'AGENTS.md': 'root', 'a/AGENTS.md': 'a', 'a/b/AGENTS.md': 'b', 'c/AGENTS.md': 'c' };
    const { found, items } = await find(files, ['a/b/x.ts', 'a/y.ts', 'z.ts']);
    assert.deepEqual(found, ['AGENTS.md', 'a/AGENTS.md', 'a/b/AGENTS.md']);
    assert.equal(items[2]?.parts[0]?.appliesTo, 'a/b/');
    // An attached folder ends in a slash.
    assert.deepEqual((await find(files, ['c/'])).found, ['AGENTS.md', 'c/AGENTS.md']);
    // Files that are instructions themselves are not sent twice.
    assert.deepEqual((await find(files, ['a/AGENTS.md'])).found, ['AGENTS.md', 'a/AGENTS.md']);
  });

  it('apply to the files of their globs, as the editor reads them', async () => {
    const applies = async (applyTo: string, path: string) =>
      (await find(rules(applyTo), [path])).found.length === 1;
    for (const [applyTo, path, expected] of [
      ['"**/*.ts"', 'src/a.ts', true],
      ['"*.ts"', 'src/a.ts', true],
      ['"**/*.ts, **/*.md"', 'docs/a.md', true],
      ['"**/*.{ts,tsx}"', 'src/a.tsx', true],
      ['"src/{app,lib}/**/*.{ts,tsx}"', 'src/lib/deep/a.tsx', true],
      ['"src/**"', 'x/src/a.ts', true],
      ['"/src/**"', 'src/a.ts', true],
      ['"/src/**"', 'x/src/a.ts', false],
      ['"**/*.ts"', 'src/a.js', false],
      ['"**/*.TS"', 'src/a.ts', true],
      ['"**/*.js"', '.config/.eslintrc.js', true],
      ['"!**/*.md"', 'src/a.ts', false],
      ['"#a"', '#a', true],
      ['[src/**, "test/**"]', 'test/a.ts', true],
      ['""', 'a.ts', false],
    ] as const)
      assert.equal(await applies(applyTo, path), expected, `${applyTo} and ${path}`);
    assert.deepEqual((await find(rules('"**/*.ts"'))).found, []);
    assert.deepEqual((await find({ '.github/instructions/a.instructions.md': 'A' }, ['a.ts'])).found, []);
    const [item] = (await find(rules('"**/*.ts"'), ['a.ts'])).items;
    assert.equal(item?.parts[0]?.appliesTo, '**/*.ts');
  });

  it('keep a text between lines across the page', async () => {
    for (const text of [
      '---\nUse tabs.\n---\nBe brief.',
      '---\nNote: be careful\nUse tabs.\n---\nBe brief.',
    ]) {
      const { items } = await find({ 'AGENTS.md': text });
      assert.equal(items[0]?.parts[0]?.text, text);
    }
    const { found } = await find(rules('[\n  "**/*.ts",\n]'), ['a.ts']);
    assert.deepEqual(found, ['.github/instructions/a.instructions.md']);
  });

  it('take no time for globs that were written to take long', async () => {
    const worked = startCpu();
    const many = `"${'{a,b}'.repeat(60)}"`;
    assert.deepEqual((await find(rules(many), ['a.ts'])).found, []);
    assert.deepEqual((await find(rules(`"**/${'*a'.repeat(40)}b"`), [`${'a'.repeat(200)}`])).found, []);
    assert.deepEqual((await find(rules(`"${'**/a/'.repeat(60)}b"`), [`${'a/'.repeat(200)}c`])).found, []);
    assert.ok(worked() < 500, `${worked()} ms`);
  });

  it('that may not be read are named with the reason, and empty ones are not sent', async () => {
    const { found, omitted } = await find({
      'AGENTS.md': { why: 'outside' },
      '.github/copilot-instructions.md': '  \n',
      '.github/instructions/a.instructions.md': { why: 'ignored' },
    });
    assert.deepEqual(found, []);
    assert.deepEqual(omitted, [
      { label: 'AGENTS.md', why: 'outside' },
      { label: '.github/instructions/a.instructions.md', why: 'ignored' },
    ]);
  });

  it('are only the listed files, which may not leave the workspace', async () => {
    const files = {
      'AGENTS.md': 'no',
      'docs/rules.md': '---\napplyTo: "**/*.py"\n---\nyes',
      'src/AGENTS.md': 'no',
    };
    reads.length = 0;
    const wrong = [
      '../x.md',
      'a/../../x.md',
      '/etc/passwd',
      'C:\\x.md',
      'C:/x.md',
      '\\\\host\\x.md',
      '~/x.md\0',
      '',
    ];
    const { found, omitted } = await find(
      files,
      ['src/a.ts'],
      ['./docs/rules.md', 'docs/../docs/rules.md', 'gone.md', ...wrong],
    );
    assert.deepEqual(found, ['docs/rules.md']);
    assert.deepEqual(reads, ['docs/rules.md', 'gone.md']);
    assert.deepEqual(omitted, [
      { label: 'gone.md', why: 'unreadable' },
      ...wrong.map((label) => ({ label, why: 'outside' })),
    ]);
  });

  it('are none when they are turned off, and nothing is read', async () => {
    reads.length = 0;
    assert.deepEqual((await find({ 'AGENTS.md': 'no' }, [], 'off')).found, []);
    assert.deepEqual(reads, []);
  });

  it('of earlier messages apply as long as their file is there, says something, and is for the same files', async () => {
    const path = '.github/instructions/a.instructions.md';
    const earlier = async (file: string, text: string): Promise<ContextItem> => {
      const [one] = (await find({ [file]: text }, ['x/a.ts'])).items;
      assert.ok(one);
      return one;
    };
    const ts = await earlier(path, rules('"**/*.ts"')[path]);
    const root = await earlier('AGENTS.md', 'Be brief.');
    const applies = (
      files: Parameters<typeof folderOf>[0],
      item: ContextItem,
      setting: InstructionsSetting = 'on',
    ) => stillApply(folderOf(files), setting, item.label, item);

    assert.equal(await applies(rules('"**/*.ts"'), ts), true);
    assert.equal(await applies({ [path]: '---\napplyTo: "**/*.ts"\n---\nChanged' }, ts), true);
    assert.equal(await applies(rules('"**/*.py"'), ts), false);
    assert.equal(await applies({}, ts), false);
    assert.equal(await applies({ 'AGENTS.md': 'Be long.' }, root), true);
    assert.equal(await applies({ 'AGENTS.md': ' \n' }, root), false);
    // It is there, but can't be read, or may not be.
    assert.equal(await applies({ 'AGENTS.md': { why: 'unreadable' } }, root), true);
    assert.equal(await applies({ 'AGENTS.md': 'Be long.' }, root, 'off'), false);
    assert.equal(await applies({ 'AGENTS.md': 'Be long.' }, root, ['rules.md']), false);
    assert.equal(await applies({ 'AGENTS.md': 'Be long.' }, root, ['./AGENTS.md']), true);
    const listed = { ...root, label: 'rules.md' };
    assert.equal(await applies({ 'rules.md': 'Be long.' }, listed, ['rules.md']), true);
    assert.equal(await applies({ 'rules.md': 'Be long.' }, listed), false);
    const nested = await earlier('x/AGENTS.md', 'Nested.');
    assert.equal(await applies({ 'x/AGENTS.md': 'Nested.' }, nested), true);
    assert.equal(await applies({}, nested), false);
  });
});
