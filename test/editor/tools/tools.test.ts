import assert from 'node:assert/strict';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import {
  aroundTools,
  asked,
  call,
  HIDDEN,
  made,
  outside,
  pathOf,
  SECRET,
  scripted,
  textOf,
  toolbox,
} from './toolsWorkspace.ts';

describe('Built-in tools', () => {
  aroundTools();

  it('have a stable order, and accept no other arguments', () => {
    const names = toolbox.definitions.map(({ name }) => name);
    const ours = [
      'find_files',
      'find_references',
      'find_symbols',
      'get_diagnostics',
      'git_diff',
      'git_log',
      'list_files',
      'propose_edit',
      'read_file',
      'search_text',
      'update_plan',
    ];
    assert.deepEqual(names, ours);
    for (const { parameters, source } of toolbox.definitions) {
      assert.equal(source, 'k3');
      assert.equal(parameters['additionalProperties'], false);
    }
  });

  it('read a file or a range of its lines, with unsaved changes', async () => {
    assert.equal(await textOf('read_file', { path: pathOf('one.txt') }), '1\tone\n2\ttwo\n3\tthree');
    assert.equal(
      await textOf('read_file', { path: pathOf('one.txt'), startLine: 2, endLine: 2 }),
      '2\ttwo\n[Lines 2 to 2 of 3.]',
    );
    const document = await vscode.workspace.openTextDocument(join(made, 'one.txt'));
    const editor = await vscode.window.showTextDocument(document);
    await editor.edit((edit) => edit.insert(new vscode.Position(0, 0), 'unsaved '));
    assert.match(await textOf('read_file', { path: pathOf('one.txt') }), /^1\tunsaved one/);
    await vscode.commands.executeCommand('workbench.action.files.revert');
  });

  it('read no file that was deleted, although the editor still shows it, but one that is only there', async () => {
    const file = join(made, 'gone.txt');
    await writeFile(file, 'old');
    const document = await vscode.workspace.openTextDocument(file);
    const shown = await vscode.window.showTextDocument(document);
    assert.equal(await textOf('read_file', { path: pathOf('gone.txt') }), '1\told');
    await rm(file);
    assert.equal((await call('read_file', { path: pathOf('gone.txt') })).failed, true);
    await shown.edit((edit) => edit.insert(new vscode.Position(0, 0), 'not '));
    assert.equal(await textOf('read_file', { path: pathOf('gone.txt') }), '1\tnot old');
    await vscode.commands.executeCommand('workbench.action.revertAndCloseActiveEditor');
  });

  it('list a folder without files that Git ignores', async () => {
    const text = await textOf('list_files', { path: basename(made) });
    assert.match(text, /^src\/$/m);
    assert.match(text, /^one\.txt$/m);
    assert.match(text, /^folder-link\/ \(link\)$/m);
    assert.doesNotMatch(text, /^built|\.log$/m);
    assert.match(text, /\[2 more that git ignores\.\]/);
  });

  it('refuse a pattern that the editor would match for minutes', async () => {
    await mkdir(join(made, 'slow'));
    await writeFile(join(made, 'slow', 'a'.repeat(200)), '');
    const pattern = '**/slow/{*a*a*a*a*b,*}';
    const calls = { find_files: { pattern }, search_text: { text: 'x', include: pattern } };
    for (const [name, args] of Object.entries(calls)) {
      const result = await call(name, args);
      assert.equal(result.failed, true, name);
      assert.match(result.text, /too many wildcards/);
    }
    await rm(join(made, 'slow'), { recursive: true });
  });

  it('find files by a pattern, without files that are ignored or outside the workspace', async () => {
    assert.equal(await textOf('find_files', { pattern: '**/bell.ts' }), pathOf('src/bell.ts'));
    for (const pattern of ['**/secret.txt', '**/out.txt', '../**', '/etc/*', '**/../**/secret.txt', ''])
      assert.equal(await textOf('find_files', { pattern }), '[No files found.]', pattern);
  });

  it('find what is meant by a pattern that is a path, also if its names have brackets', async () => {
    await mkdir(join(made, 'app/[...slug]'), { recursive: true });
    await writeFile(join(made, 'app/[...slug]/page.ts'), 'pealing');
    const page = pathOf('app/[...slug]/page.ts');
    for (const pattern of [page, pathOf('app'), pathOf('app/'), pathOf('app/[...slug]/*.ts')]) {
      assert.equal(await textOf('find_files', { pattern }), page, pattern);
      assert.equal(
        await textOf('search_text', { text: 'pealing', include: pattern }),
        `${page}:1: pealing`,
        pattern,
      );
    }
  });

  it('find files of a name without a folder wherever they are', async () => {
    assert.equal(await textOf('find_files', { pattern: 'bell.ts' }), pathOf('src/bell.ts'));
    for (const include of ['bell.ts', '*.ts'])
      assert.match(await textOf('search_text', { text: 'RINGING', include }), /src\/bell\.ts:2: /, include);
  });

  it('search text, but not in files that are ignored, secret, or outside the workspace', async () => {
    assert.equal(
      await textOf('search_text', { text: 'RINGING', include: '**/*.ts' }),
      `${pathOf('src/bell.ts')}:2: export const ringing = ring;`,
    );
    assert.equal(await textOf('search_text', { text: 'RINGING', matchCase: true }), '[Nothing found.]');
    assert.equal(await textOf('search_text', { text: SECRET }), '[Nothing found.]');
    assert.equal(await textOf('search_text', { text: HIDDEN }), '[Nothing found.]');
    assert.deepEqual(asked.details, []);
  });

  it('say of which files a search gives only the first lines, and which ones are too large to be searched', async () => {
    const [many, large] = [join(made, 'src/many.txt'), join(made, 'src/large.txt')];
    await writeFile(many, 'pealing\n'.repeat(45));
    await writeFile(large, 'pealing\n'.repeat(140_000));
    // It isn't text, so nothing is missing without it.
    const picture = join(made, 'src/picture.png');
    await writeFile(picture, Buffer.alloc(1_200_000));
    const text = await textOf('search_text', { text: 'pealing', include: `${basename(made)}/src/*` });
    const lines = text.split('\n');
    assert.deepEqual(lines.slice(19), [
      `${pathOf('src/many.txt')}:20: pealing`,
      `[Not complete: only the first 20 lines are given of ${pathOf('src/many.txt')}; too large to be searched: ${pathOf('src/large.txt')}.]`,
    ]);
    await Promise.all([many, large, picture].map((file) => rm(file)));
    await writeFile(many, 'pealing\n'.repeat(20));
    assert.doesNotMatch(
      await textOf('search_text', { text: 'pealing', include: '**/*.txt' }),
      /lines are given/,
    );
    await rm(many);
  });

  it('find the references of a symbol', async () => {
    const provider = vscode.languages.registerReferenceProvider(
      { pattern: '**/bell.ts' },
      {
        provideReferences: ({ uri }) => [
          new vscode.Location(uri, new vscode.Position(1, 23)),
          new vscode.Location(vscode.Uri.file(join(outside, 'secret.txt')), new vscode.Position(0, 0)),
        ],
      },
    );
    const args = { path: pathOf('src/bell.ts'), line: 1, symbol: 'ring' };
    const text = await textOf('find_references', args);
    provider.dispose();
    assert.match(text, /bell\.ts:2: export const ringing = ring;/);
    assert.doesNotMatch(text, /secret/);
    assert.equal((await call('find_references', { ...args, symbol: 'gong' })).failed, true);
  });

  it('find the references of a symbol that is also a part of other words on its line', async () => {
    await writeFile(join(made, 'src/width.ts'), 'export const width = $id(id);\n');
    const asked: number[] = [];
    const provider = vscode.languages.registerReferenceProvider(
      { pattern: '**/width.ts' },
      {
        provideReferences(_, { character }) {
          asked.push(character);
          return [];
        },
      },
    );
    await textOf('find_references', { path: pathOf('src/width.ts'), line: 1, symbol: 'id' });
    provider.dispose();
    assert.deepEqual(asked, ['export const width = $id('.length]);
  });

  it('find symbols by a part of their name', async () => {
    const provider = vscode.languages.registerWorkspaceSymbolProvider({
      provideWorkspaceSymbols: () =>
        [join(made, 'src/bell.ts'), join(outside, 'secret.txt')].map(
          (path) =>
            new vscode.SymbolInformation(
              'ringOfTest',
              vscode.SymbolKind.Variable,
              'bells',
              new vscode.Location(vscode.Uri.file(path), new vscode.Position(0, 0)),
            ),
        ),
    });
    const text = await textOf('find_symbols', { query: 'ringOfTest' });
    provider.dispose();
    assert.equal(text, `${pathOf('src/bell.ts')}:1: variable ringOfTest in bells`);
  });

  it('return the problems that the editor knows', async () => {
    const problems = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(1, 0, 1, 3);
    problems.set(vscode.Uri.file(join(made, 'one.txt')), [new vscode.Diagnostic(range, 'Two is wrong.')]);
    assert.match(
      await textOf('get_diagnostics', { path: pathOf('one.txt') }),
      /one\.txt:2:1: error: Two is wrong\./,
    );
    assert.match(await textOf('get_diagnostics', {}), /Two is wrong\./);
    problems.dispose();
  });

  it('return the problems of the files in a folder, but of none that Git ignores', async () => {
    const problems = vscode.languages.createDiagnosticCollection('test');
    const range = new vscode.Range(0, 0, 0, 1);
    for (const file of ['src/bell.ts', 'built/out.txt'])
      problems.set(vscode.Uri.file(join(made, file)), [new vscode.Diagnostic(range, 'It is wrong.')]);
    for (const path of [made.split('/').at(-1), pathOf('src')])
      assert.equal(
        await textOf('get_diagnostics', { path }),
        `${pathOf('src/bell.ts')}:1:1: error: It is wrong.`,
        path,
      );
    problems.dispose();
  });

  it('report what is wrong with a call instead of failing the turn', async () => {
    for (const [name, args] of [
      ['read_file', { path: pathOf('nothing.txt') }],
      ['read_file', { path: pathOf('src') }],
      ['list_files', { path: pathOf('one.txt') }],
      ['propose_edit', { path: pathOf('nothing.txt'), edits: [{ find: 'a', replace: 'b' }] }],
      ['propose_edit', { path: pathOf('one.txt'), edits: [{ find: 'four', replace: 'b' }] }],
      ['no_such_tool', {}],
    ] as const)
      assert.equal((await call(name, args)).failed, true, name);
  });

  it('reject when they are stopped', async () => {
    const stopped = AbortSignal.abort();
    await assert.rejects(toolbox.run({ id: 'c', name: 'search_text', arguments: { text: 'a' } }, stopped));
  });
});

describe('Edits that the model proposes', () => {
  aroundTools();

  const edit = (find: string, replace: string) => ({ path: pathOf('one.txt'), edits: [{ find, replace }] });

  it('say what is wrong with a file that the editor can’t open', async () => {
    const edits = [{ find: 'a', replace: 'b' }];
    await writeFile(join(made, 'large.txt'), Buffer.alloc(51 * 1024 * 1024, 'a\n'));
    await writeFile(join(made, 'binary.txt'), Buffer.from([0, 1, 2, 0, 255, 254, 0]));
    assert.match(
      await textOf('propose_edit', { path: pathOf('large.txt'), edits }),
      /the file is too large\.$/,
    );
    assert.match(await textOf('propose_edit', { path: pathOf('binary.txt'), edits }), /not a text file\.$/);
  });

  it('create a proposal, build on each other, and write nothing', async () => {
    const results = await Promise.all([
      call('propose_edit', edit('one', 'ONE')),
      call('propose_edit', edit('three', 'THREE')),
    ]);
    assert.deepEqual(
      results.map(({ failed }) => failed),
      [undefined, undefined],
    );
    const turn = scripted.conversations.current().exchanges[0]?.attempts[0];
    const proposal = scripted.proposals.ofTurn(turn?.id ?? '').at(-1);
    assert.equal(proposal?.files[0]?.after, 'ONE\ntwo\nTHREE\n');
    assert.equal(await textOf('read_file', { path: pathOf('one.txt') }), '1\tone\n2\ttwo\n3\tthree');
  });

  it('keep the hunks that are still undecided after one was accepted', async () => {
    const path = pathOf('docs/readme.md');
    const text = 'one\ntwo\nthree\nfour\nfive\n';
    await writeFile(join(made, 'docs/readme.md'), text);
    const edits = [
      { find: 'one', replace: 'ONE' },
      { find: 'three', replace: 'THREE' },
    ];
    await call('propose_edit', { path, edits });
    const turn = scripted.conversations.current().exchanges[0]?.attempts[0];
    const [first] = scripted.proposals.ofTurn(turn?.id ?? '').slice(-1);
    const uri = first?.files[0]?.uri;
    await vscode.commands.executeCommand('k3.acceptHunk', { proposalId: first?.id, uri, hunkId: '0' });
    await call('propose_edit', { path, edits: [{ find: 'five', replace: 'FIVE' }] });
    const [second] = scripted.proposals.ofTurn(turn?.id ?? '').slice(-1);
    assert.deepEqual(
      second?.files[0]?.hunks.map(({ hunk }) => hunk.after),
      ['THREE\n', 'FIVE\n'],
    );
  });

  it('create a new file only when it is accepted', async () => {
    const path = pathOf('src/new.ts');
    const result = await call('propose_edit', { path, edits: [{ find: '', replace: 'export {};\n' }] });
    assert.match(result.text, /Proposed a new file/);
    assert.equal((await call('read_file', { path })).failed, true);
  });

  it('refuse a new file without text, and say what to do', async () => {
    const result = await call('propose_edit', {
      path: pathOf('src/__init__.py'),
      edits: [{ find: '', replace: '' }],
    });
    assert.equal(result.failed, true);
    assert.match(
      result.text,
      /: a file without text cannot be proposed\. Write a line into it, or ask the user/,
    );
  });
});
