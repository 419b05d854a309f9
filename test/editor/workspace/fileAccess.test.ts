import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readFile, rm, symlink, unlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import * as vscode from 'vscode';
import { askToInclude } from '../../../src/editor/code/codeQuestions.ts';
import { readFolderContext } from '../../../src/editor/context/contextFolders.ts';
import { canReopen, readFileContext, refreshContext } from '../../../src/editor/context/contextItems.ts';
import { createContextPermission } from '../../../src/editor/context/contextPermission.ts';
import { readChangesContext } from '../../../src/editor/context/contextReports.ts';
import { askByCommand } from '../../../src/editor/participant/namedCommands.ts';
import { readReferences } from '../../../src/editor/participant/references.ts';
import { confirmEdit } from '../../../src/editor/proposals/editConfirmation.ts';
import { findTarget } from '../../../src/editor/proposals/proposalFiles.ts';
import { toProposalViews } from '../../../src/editor/proposals/proposalViews.ts';
import { toProposedFiles } from '../../../src/editor/proposals/proposedFiles.ts';
import { createEditTool } from '../../../src/editor/tools/editTool.ts';
import { createRefusedFiles } from '../../../src/editor/tools/refusedFiles.ts';
import { requestAccess } from '../../../src/editor/workspace/accessRequests.ts';
import { createAllowedReads } from '../../../src/editor/workspace/allowedReads.ts';
import { linesOfDocument, toPath } from '../../../src/editor/workspace/selectedCode.ts';
import { requestFiles } from '../../../src/editor/workspace/sentLines.ts';
import { createDeferred } from '../../../src/service/deferred.ts';
import { atRevision } from '../findings/diffs.ts';
import { openNotebook, toNotebook } from '../notebooks.ts';
import { openRepository } from '../repositories.ts';
import { streamOf, until } from '../scripted.ts';
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
} from '../tools/toolsWorkspace.ts';

const uriOf = (name: string) => vscode.Uri.file(join(made, name));
const fileOf = (name: string) => ({ kind: 'file' as const, uri: uriOf(name).toString() });
const selectionIn = (name: string) => ({
  ...fileOf(name),
  kind: 'selection' as const,
  read: { ok: true as const, item: { kind: 'selection' as const, label: name, parts: [] } },
});

/** The ways to read or change a file. */
const WAYS: Readonly<Record<string, (name: string) => Promise<unknown>>> = {
  'a tool': (name) => call('read_file', { path: pathOf(name) }),
  'a tool that proposes': (name) =>
    call('propose_edit', { path: pathOf(name), edits: [{ find: 'a', replace: 'b' }] }),
  'a context attachment': (name) => createContextPermission(createAllowedReads()).askForAll([fileOf(name)]),
  'a proposal': (name) => findTarget(pathOf(name), { origin: undefined }),
  'the gate before writing': (name) =>
    confirmEdit({ uri: uriOf(name), parts: [{ before: 'a', after: 'b' }] }),
};

const READING = ['a tool', 'a tool that proposes', 'a context attachment', 'a proposal'];

const CASES: readonly (readonly [string, readonly string[], () => string, readonly string[]])[] = [
  [
    'file-link',
    Object.keys(WAYS),
    () => join(outside, 'secret.txt'),
    ['It is outside the workspace.', 'The requested path is a link.'],
  ],
  [
    'a.log',
    READING,
    () => join(made, 'a.log'),
    ['Git ignores it. Ignored files often contain keys and passwords.'],
  ],
  [
    'plain-name',
    READING,
    () => join(made, '.env'),
    ['Files with this name often contain keys or passwords.', 'The requested path is a link.'],
  ],
];

/** What the button does that the editor adds. It refuses other calls of tools, too. */
const cancelOf = (way: string): string =>
  way.startsWith('a tool')
    ? 'Cancel refuses this and all other tool calls that wait for the same kind of access.'
    : 'Cancel also refuses.';

/** The last paragraph: the effect of allowing it, before what Cancel does. */
const EFFECTS: Readonly<Record<string, string>> = {
  'a tool': 'The text is sent to the service.',
  'a context attachment': 'The text is sent to the service.',
  'a tool that proposes':
    'The file is read to find where the change belongs. You review the change before it is written.',
  'a proposal':
    'The file is read to find where the change belongs. You review the change before it is written.',
  'the gate before writing': 'The change is written to the file.',
};

/** Sets properties of the workspace until the returned function is called. */
function define(values: Readonly<Record<string, unknown>>): () => void {
  const names = Object.keys(values);
  const before = names.map(
    (name) => [name, Object.getOwnPropertyDescriptor(vscode.workspace, name)] as const,
  );
  for (const name of names)
    Object.defineProperty(vscode.workspace, name, { configurable: true, value: values[name] });
  return () => {
    for (const [name, descriptor] of before)
      if (descriptor !== undefined) Object.defineProperty(vscode.workspace, name, descriptor);
  };
}

/** The paragraph between the paths and the effect. */
const reasonsOf = (detail: string): readonly string[] => detail.split('\n\n')[1]?.split('\n') ?? [];

describe('The dialog about access to a file', () => {
  aroundTools();

  for (const [name, ways, resolved, sentences] of CASES)
    for (const way of ways)
      it(`has the same text about ${name} for ${way} as for the others`, async () => {
        await WAYS[way]?.(name);
        assert.deepEqual(asked.details, [
          [
            `Resolved path: ${resolved()}`,
            `Requested path: ${pathOf(name)}`,
            '',
            ...sentences,
            '',
            `${EFFECTS[way]} ${cancelOf(way)}`,
          ].join('\n'),
        ]);
        assert.deepEqual(asked.focused, ['Refuse'], 'Enter allows nothing');
      });

  it('has one path if the file was requested by its resolved path', async () => {
    const path = join(outside, 'secret.txt');
    await call('read_file', { path });
    const fileUri = vscode.Uri.file(path).toString();
    const references = [{ kind: 'file' as const, uri: fileUri }, fileOf('a.log')];
    await createContextPermission(createAllowedReads()).askForAll(references);
    assert.deepEqual(
      asked.details.map((detail) => detail.split('\n\n', 1)[0]?.split('\n')),
      [
        [`Resolved path: ${path}`],
        ['Requested path → resolved path:', path, `${pathOf('a.log')} → ${join(made, 'a.log')}`],
      ],
    );
  });

  it('says which of two reasons applies: a link or a folder that is one, ignored by git or a file of git', async () => {
    await call('read_file', { path: pathOf('folder-link/secret.txt') });
    await call('read_file', { path: pathOf('.git/config') });
    assert.deepEqual(asked.details.map(reasonsOf), [
      ['It is outside the workspace.', 'A folder in the requested path is a link.'],
      [
        'It is in the folder .git. Its files can contain keys and passwords, for example in addresses.',
        'It has text that looks like a key or password.',
      ],
    ]);
  });

  it('names protected files and hidden characters before writing', async () => {
    await mkdir(join(made, '.vscode'), { recursive: true });
    const uri = uriOf('.vscode/tasks.json');
    assert.equal(await confirmEdit({ uri, parts: [{ before: '', after: 'a\u202eb' }] }), false);
    assert.deepEqual(asked.titles, ['Apply this change to tasks.json?']);
    assert.deepEqual(reasonsOf(asked.details[0] ?? ''), [
      'Files like this one control what tools and the editor can do on this machine.',
      'It adds characters that change the direction of text, so that code looks different from what runs: U+202E',
    ]);
  });

  it('names protected files in a folder that a workspace file of the repository names', async () => {
    const folder = { uri: uriOf('.github/workflows'), name: 'src', index: 0 };
    const uri = uriOf('.github/workflows/ci.yml');
    const isWritten = () => confirmEdit({ uri, parts: [{ before: '', after: 'on: push' }] });
    const restore = define({
      workspaceFolders: [folder],
      getWorkspaceFolder: () => folder,
      workspaceFile: uriOf('team.code-workspace'),
    });
    await mkdir(folder.uri.fsPath, { recursive: true });
    try {
      assert.equal(await isWritten(), false);
      assert.deepEqual(asked.details.map(reasonsOf), [
        ['Files like this one control what tools and the editor can do on this machine.'],
      ]);
      // A folder that the user opened, alone or in a workspace without a file, is their choice.
      for (const file of [undefined, vscode.Uri.parse('untitled:1')]) {
        define({ workspaceFile: file });
        assert.equal(await isWritten(), true);
      }
    } finally {
      restore();
      await rm(uriOf('.github').fsPath, { recursive: true });
    }
  });

  it('is shown once for all attachments that need it, and not again in this window', async () => {
    const permission = createContextPermission(createAllowedReads());
    const references = ['one.txt', 'a.log', 'file-link', 'plain-name'].map(fileOf);
    assert.deepEqual(await permission.askForAll(references), references.slice(0, 1));
    assert.deepEqual(asked.titles, ['Allow svc-k3 to read these 3 files?']);
    assert.match(asked.details[0] ?? '', /Some are outside[\s\S]*Git ignores some[\s\S]*some of these names/);
    assert.ok(asked.details[0]?.includes(`${pathOf('plain-name')} → ${join(made, '.env')}\n`));
    asked.answer = 'Allow in This Window';
    assert.deepEqual(await permission.askForAll(references), references);
    assert.deepEqual(await permission.askForAll(references), references);
    assert.equal(asked.details.length, 2);
  });

  it('shows a line break in a name as its code point', async () => {
    const name = 'x.log\nRequested path: y';
    await writeFile(join(made, `${name}.log`), HIDDEN);
    await WAYS['a context attachment']?.(`${name}.log`);
    await rm(join(made, `${name}.log`));
    assert.equal(asked.details[0]?.split('\n').length, 6);
    assert.match(asked.details[0] ?? '', /x\.log⟦U\+000A⟧Requested path: y\.log\n/);
  });

  it('is not shown for a selection in an ignored file, but for the file', async () => {
    const permission = createContextPermission(createAllowedReads());
    const selection = [selectionIn('a.log')];
    assert.deepEqual(await permission.askForAll(selection), selection);
    assert.deepEqual(asked.details, []);
    assert.equal(await permission.allows(uriOf('a.log'), 'part'), true, 'the lines can be read again');
    assert.equal(await permission.allows(uriOf('a.log')), false, 'but not the file');
    assert.equal(await createContextPermission(createAllowedReads()).allows(uriOf('a.log'), 'part'), false);
    assert.deepEqual(await permission.askForAll([fileOf('a.log')]), []);
    assert.equal(asked.details.length, 1, 'the file contains more than the selection');
  });

  it('is shown for a selection in the left side of a diff only where it is for one in the file', async () => {
    const permission = createContextPermission(createAllowedReads());
    const selectionAt = (path: string) => {
      const uri = atRevision(vscode.Uri.file(path), 'HEAD').toString();
      return { ...selectionIn('one.txt'), uri };
    };
    const inside = ['one.txt', 'a.log'].map((name) => selectionAt(join(made, name)));
    assert.deepEqual(await permission.askForAll(inside), inside);
    assert.deepEqual(asked.details, []);
    for (const { uri } of inside)
      assert.equal(await permission.allows(vscode.Uri.parse(uri), 'part'), true, 'they can be read again');
    const others = [selectionAt(join(outside, 'secret.txt'))];
    assert.deepEqual(await permission.askForAll(others), []);
    const files = [{ ...selectionAt(join(made, '.env')), kind: 'file' as const }];
    assert.deepEqual(await permission.askForAll(files), []);
    assert.deepEqual(asked.details.map(reasonsOf), [
      ['It is outside the workspace.'],
      ['Files with this name often contain keys or passwords.'],
    ]);
    asked.answer = 'Allow in This Window';
    assert.deepEqual(await permission.askForAll(others), others);
    assert.equal(await permission.allows(vscode.Uri.parse(others[0]?.uri ?? ''), 'part'), true);
  });

  it('allows the changes of a repository outside the workspace, not its files', async () => {
    const reads = createAllowedReads();
    const folder = vscode.Uri.file(outside);
    const file = vscode.Uri.file(join(outside, 'secret.txt'));
    asked.answer = 'Allow in This Window';
    assert.equal(await reads.askForFolder(folder), true);
    asked.answer = undefined;
    assert.equal(await reads.askForFolder(folder), true, 'is not asked about again');
    assert.equal(await reads.allows(folder, 'part'), true, 'its changes can be read again');
    assert.equal(asked.details.length, 1);
    assert.deepEqual(await reads.whichAllowed([file, folder]), []);
    assert.equal(await reads.allows(file, 'part'), false);
    assert.deepEqual([...(await reads.ask([file]))], []);
    assert.equal(asked.details.length, 2, 'a file of it is asked about');
  });

  it('is not shown for an ignored folder, whose files are omitted', async () => {
    const folder = [fileOf('built')];
    assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll(folder), folder);
    assert.equal(await createAllowedReads().askForFolder(uriOf('built')), true);
    assert.equal(await createAllowedReads().askForFolder(vscode.Uri.file(outside)), false);
    assert.deepEqual(asked.titles, [`Allow svc-k3 to read ${basename(outside)}?`]);
  });

  describe('with keys in its text', () => {
    const KEY = ['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_');
    /** A file outside the workspace, or in it. */
    async function withKey(folder: string): Promise<vscode.Uri> {
      const path = join(folder, 'plain.txt');
      await writeFile(path, `token = "${KEY}"\n`);
      return vscode.Uri.file(path);
    }
    const reasons = () => asked.details.map(reasonsOf);
    const OUTSIDE = ['It is outside the workspace.'];
    const HAS_KEY = ['It has text that looks like a key or password.'];

    it('names them only when a file outside the workspace was allowed', async () => {
      const uri = await withKey(outside);
      const file = { kind: 'file' as const, uri: uri.toString() };
      const answers = ['Allow Once', undefined];
      asked.meanwhile = async () => {
        asked.answer = answers.shift();
      };
      const result = await call('read_file', { path: uri.fsPath });
      assert.ok(result.failed && !result.text.includes(KEY), result.text);
      answers.push('Allow in This Window', undefined);
      const permission = createContextPermission(createAllowedReads());
      assert.deepEqual(await permission.askForAll([file]), []);
      assert.equal(
        await permission.allows(uri, 'text'),
        false,
        'a refused file is not allowed for the window',
      );
      assert.deepEqual(reasons(), [OUTSIDE, HAS_KEY, OUTSIDE, HAS_KEY]);
      answers.push('Allow in This Window', 'Allow in This Window');
      const allowedMeanwhile: boolean[] = [];
      asked.meanwhile = async () => {
        allowedMeanwhile.push(await permission.allows(uri));
        asked.answer = answers.shift();
      };
      assert.deepEqual(await permission.askForAll([file]), [file]);
      assert.deepEqual(allowedMeanwhile, [false, false], 'before the last answer');
      assert.equal(await permission.allows(uri, 'text'), true);
    });

    it('names them for a file in a folder outside the workspace that was allowed', async () => {
      const uri = await withKey(outside);
      const reads = createAllowedReads();
      asked.answer = 'Allow in This Window';
      assert.equal((await reads.ask([vscode.Uri.file(outside)])).size, 1);
      asked.answer = undefined;
      assert.deepEqual([...(await reads.ask([uri]))], []);
      assert.deepEqual(reasons(), [OUTSIDE, HAS_KEY]);
    });

    it('is shown for Review File also when the file is visible', async () => {
      const uri = await withKey(made);
      const count = scripted.conversations.current().exchanges.length;
      await vscode.window.showTextDocument(uri);
      await vscode.commands.executeCommand('k3.reviewFile');
      await vscode.commands.executeCommand('k3.reviewFile', uri);
      assert.deepEqual(reasons(), [HAS_KEY, HAS_KEY]);
      assert.equal(scripted.conversations.current().exchanges.length, count);
    });
  });

  it('is shown for Review File of a visible file with a name for secrets', async () => {
    const count = scripted.conversations.current().exchanges.length;
    await vscode.window.showTextDocument(uriOf('.env'));
    await vscode.commands.executeCommand('k3.reviewFile');
    assert.equal(asked.details.length, 1);
    assert.match(asked.details[0] ?? '', /Files with this name often contain keys or passwords\./);
    assert.equal(scripted.conversations.current().exchanges.length, count);
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
  });

  it('is shown for a notebook with a key in a cell, also in one that is not saved', async () => {
    const lines = ['-----BEGIN RSA PRIVATE KEY-----\n', `${'MIIEpAIBAAKCAQEA'.repeat(4)}\n`.repeat(12)];
    const pem = `${lines.join('')}-----END RSA PRIVATE KEY-----\n`;
    const uri = uriOf('key.ipynb');
    const file = { kind: 'file' as const, uri: uri.toString() };
    await writeFile(uri.fsPath, toNotebook(pem));
    assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll([file]), []);
    const notebook = await openNotebook(uri, 'clean');
    assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll([file]), [file]);
    assert.equal(asked.details.length, 1);
    const typing = new vscode.WorkspaceEdit();
    typing.insert(notebook.cellAt(0).document.uri, new vscode.Position(0, 0), pem);
    await vscode.workspace.applyEdit(typing);
    assert.deepEqual(await createContextPermission(createAllowedReads()).askForAll([file]), []);
    assert.match(asked.details.at(-1) ?? '', /looks like a key or password/);
    await rm(uri.fsPath);
  });

  it('is shown for keys around the code of a command, but not for those that are selected', async () => {
    const uri = uriOf('around.txt');
    await writeFile(
      uri.fsPath,
      `token = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"\none\ntwo\n`,
    );
    const editor = await vscode.window.showTextDocument(uri);
    const count = () => scripted.conversations.current().exchanges.length;
    const before = count();
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    await vscode.commands.executeCommand('k3.explain');
    editor.selection = new vscode.Selection(1, 0, 1, 0);
    await vscode.commands.executeCommand('k3.explain');
    await vscode.commands.executeCommand('k3.reviewSelection');
    assert.equal(asked.details.length, 3);
    assert.equal(count(), before);
    for (const detail of asked.details) assert.match(detail, /looks like a key or password/);
    scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
    editor.selection = new vscode.Selection(0, 0, 3, 0);
    await vscode.commands.executeCommand('k3.explain');
    assert.equal(asked.details.length, 3);
    // The conversation of the other tests is answering, so this is a new one.
    assert.match(
      scripted.conversations.current().exchanges.at(-1)?.question.text ?? '',
      /^Explain[\s\S]*ghp_/,
    );
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(uri.fsPath);
  });

  it('is shown for files of a review', async () => {
    await vscode.commands.executeCommand('k3.reviewFile', uriOf('a.log'));
    assert.equal(asked.details.length, 1);
    assert.equal(scripted.conversations.current().exchanges.length, 1);
  });

  it('is about the lines that are sent: none that are written around the code while it is shown', async () => {
    const uri = uriOf('late.txt');
    const token = `token = "${['ghp', 'wWPw5k4aXcaT4fNP0UcnZwJUVFk6LO0pINUx'].join('_')}"\n`;
    await writeFile(uri.fsPath, `${token}one\ntwo\n`);
    const editor = await vscode.window.showTextDocument(uri);
    editor.selection = new vscode.Selection(1, 0, 2, 0);
    asked.answer = 'Allow Once';
    asked.meanwhile = async () => {
      const writing = new vscode.WorkspaceEdit();
      writing.insert(uri, new vscode.Position(0, 0), 'written late\n');
      await vscode.workspace.applyEdit(writing);
    };
    scripted.will(streamOf([{ answer: 'So.' }, { finish: 'stop' }]));
    await vscode.commands.executeCommand('k3.explain');
    const sent = scripted.conversations.current().exchanges.at(-1)?.question.text ?? '';
    assert.match(sent, /^Explain[\s\S]*ghp_/);
    assert.doesNotMatch(sent, /written late/);
    await vscode.workspace.saveAll();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await rm(uri.fsPath);
  });
});

describe('A path that changes to lead to another file', () => {
  aroundTools();

  /** A link that changes its target while the dialog is open. */
  async function turning(from: string, to: string): Promise<vscode.Uri> {
    const link = join(made, 'turning');
    await rm(link, { force: true });
    await symlink(from, link);
    asked.meanwhile = async () => {
      await unlink(link);
      await symlink(to, link);
    };
    return vscode.Uri.file(link);
  }

  it('is not read with the approval for the earlier file', async () => {
    asked.answer = 'Allow Once';
    await turning('a.log', '.env');
    const result = await call('read_file', { path: pathOf('turning') });
    assert.equal(result.failed, true);
    assert.match(result.text, /was moved/);
    assert.ok(!result.text.includes(HIDDEN));
  });

  it('is not read for a proposal, which says why', async () => {
    asked.answer = 'Allow Once';
    await turning('a.log', '.env');
    const edit = { find: HIDDEN, replace: 'x' };
    const answer = JSON.stringify({ explanation: '', files: [{ path: pathOf('turning'), edits: [edit] }] });
    const { files } = await toProposedFiles(answer, { text: '', images: [], origin: undefined });
    const proposal = scripted.proposals.add({
      turnId: 't-moved',
      conversationId: scripted.conversations.current().id,
      files,
      trouble: undefined,
      revises: undefined,
    });
    assert.deepEqual(
      toProposalViews([proposal])[0]?.unplaced.map(({ why }) => why),
      ['Not placed: the path now leads to a different file. To ask again, select “Regenerate”.'],
    );
    assert.ok(!JSON.stringify(files).includes(`KEY=${HIDDEN}`));
  });

  it('is not written', async () => {
    asked.answer = 'Allow Once';
    const uri = await turning(join(outside, 'secret.txt'), join(outside, 'deep/secret.txt'));
    assert.equal(await confirmEdit({ uri, parts: [{ before: SECRET, after: 'x' }] }), false);
    assert.equal(await readFile(join(outside, 'deep/secret.txt'), 'utf8'), SECRET);
  });

  it('is not added as context', async () => {
    asked.answer = 'Allow in This Window';
    const uri = await turning('a.log', '.env');
    assert.deepEqual([...(await createAllowedReads().ask([uri]))], []);
  });

  it('is not added as context if it needed no approval, and that for another file is refused', async () => {
    asked.answer = 'Refuse';
    const uri = await turning('one.txt', '.env');
    const kept = vscode.Uri.file(join(made, 'one.txt'));
    const readable = await createAllowedReads().ask([uri, kept, vscode.Uri.file(join(made, 'a.log'))]);
    assert.deepEqual([...readable], [kept]);
  });

  it('is not read for a command if it needed no approval, and that for another file is given', async () => {
    asked.answer = 'Allow Once';
    const uri = await turning('one.txt', '.env');
    assert.equal(await requestFiles([uri, vscode.Uri.file(join(made, 'a.log'))]), undefined);
  });

  it('is not read for a review, although an editor shows it and the earlier file was allowed', async () => {
    asked.answer = 'Allow in This Window';
    const uri = await turning('.env', join(outside, 'secret.txt'));
    assert.equal(await createAllowedReads().askForSeen(uri), false);
    assert.equal(asked.details.length, 1);
  });

  it('is not read with its folder', async () => {
    const folder = join(made, 'swapped');
    await mkdir(folder);
    await symlink(join(outside, 'secret.txt'), join(folder, 'a'));
    await symlink('../one.txt', join(folder, 'b'));
    const taken = await readFolderContext(vscode.Uri.file(folder), async () => {
      await unlink(join(folder, 'b'));
      await symlink(join(outside, 'deep/secret.txt'), join(folder, 'b'));
      return false;
    });
    assert.ok(!JSON.stringify(taken).includes(SECRET));
    assert.match(JSON.stringify(taken), /swapped\/b \(/);
  });

  it('is not read completely because a part of the other file was used', async () => {
    const permission = createContextPermission(createAllowedReads());
    await permission.askForAll([selectionIn('a.log')]);
    const uri = await turning('one.txt', 'a.log');
    await permission.askForAll([{ kind: 'file', uri: uri.toString() }]);
    const taken = await readFileContext(uri);
    assert.ok(taken.ok);
    await asked.meanwhile?.();
    const newest = await refreshContext(taken.item, permission.allows);
    assert.equal(newest.older, true);
    assert.ok(!JSON.stringify(newest).includes(HIDDEN));
    const selection = { ...taken.item, kind: 'selection' as const };
    assert.equal(await canReopen(selection, permission.allows), false);
  });

  it('is not read again for a message after it was added', async () => {
    const permission = createContextPermission(createAllowedReads());
    const uri = await turning('one.txt', '.env');
    const [reference] = await permission.askForAll([{ kind: 'file', uri: uri.toString() }]);
    assert.ok(reference);
    const taken = await readFileContext(uri);
    assert.ok(taken.ok);
    await asked.meanwhile?.();
    const newest = await refreshContext(taken.item, permission.allows);
    assert.equal(newest.older, true);
    assert.ok(!JSON.stringify(newest).includes(HIDDEN));
  });
});

/** Asks about reads, and then lets a link lead to another file. */
function readsThatSwap(link: string) {
  const reads = createAllowedReads();
  const ask = async (uris: readonly vscode.Uri[]) => {
    const allowed = await reads.ask(uris);
    await unlink(link);
    await symlink('.env', link);
    return allowed;
  };
  return { ...reads, ask };
}

describe('A link that changes its target in the moment in which it is read again', () => {
  aroundTools();

  it('keeps the text of before', async () => {
    const link = join(made, 'again');
    await symlink('one.txt', link);
    const taken = await readFileContext(vscode.Uri.file(link));
    assert.ok(taken.ok);
    const newest = await refreshContext(taken.item, async () => {
      await unlink(link);
      await symlink('.env', link);
      return true;
    });
    assert.deepEqual(newest, { ...taken.item, older: true });
  });

  it('isn’t sent as an attachment of the editor’s chat, while others of the message are read', async () => {
    const link = join(made, 'attached');
    await symlink('one.txt', link);
    const reads = readsThatSwap(link);
    const uri = vscode.Uri.file(link);
    const attached = [uri, new vscode.Location(uri, new vscode.Position(0, 0)), uriOf('one.txt')];
    const { context, problems } = await readReferences(
      attached.map((value) => ({ value })),
      reads,
    );
    assert.ok(!JSON.stringify(context).includes(HIDDEN));
    assert.deepEqual([context.length, problems.length], [1, 1]);
    assert.match(problems[0] ?? '', /attached couldn’t be read and wasn’t sent\./);
  });
});

describe('A link that changes its target when the user was asked', () => {
  aroundTools();

  it('is not read for a command that a request to @k3 names', async () => {
    const link = join(made, 'named');
    await symlink('one.txt', link);
    const reads = readsThatSwap(link);
    const command = { kind: 'command', command: 'k3.explain', words: '' } as const;
    const deps = { lastEditor: { get: () => undefined }, reads };
    const explained = await askByCommand(command, '/explain', [{ value: vscode.Uri.file(link) }], deps);
    assert.ok(!JSON.stringify(explained).includes(HIDDEN));
    assert.match('why' in explained ? explained.why : '', /named couldn’t be read and wasn’t sent\./);
  });
});

describe('A file that no editor shows', () => {
  aroundTools();

  it('is asked about before a command on code sends lines of it', async () => {
    const uri = vscode.Uri.file(join(outside, 'secret.txt'));
    const code = linesOfDocument(await vscode.workspace.openTextDocument(uri), 0, 0);
    const isSent = async () => (await askToInclude(code, assert.fail)) !== undefined;
    assert.equal(await isSent(), false);
    assert.match(asked.details[0] ?? '', /It is outside the workspace\./);
    asked.answer = 'Allow Once';
    assert.equal(await isSent(), true);
    await vscode.window.showTextDocument(uri);
    asked.details.length = 0;
    assert.equal(await isSent(), true);
    assert.deepEqual(asked.details, []);
  });
});

describe('A file in an editor', () => {
  aroundTools();

  const FILES = [
    ['outside the workspace', () => vscode.Uri.file(join(outside, 'secret.txt')), SECRET],
    ['that Git ignores', () => uriOf('a.log'), HIDDEN],
  ] as const;

  for (const [where, uriOfFile, evidence] of FILES)
    for (const how of ['by its address', 'as the one in front'])
      it(`${where} is reviewed without a question, ${how}, and has its finding`, async () => {
        const uri = uriOfFile();
        const file = toPath(await vscode.workspace.openTextDocument(uri));
        const claim = `Too short, ${where}, ${how}.`;
        const about = { file, startLine: 1, endLine: 1, severity: 'error', claim, evidence, edit: null };
        const answer = JSON.stringify({ summary: '', findings: [about] });
        scripted.will(streamOf([{ answer }, { finish: 'stop' }]));
        const before = scripted.requests.length;
        await vscode.window.showTextDocument(uri);
        await vscode.commands.executeCommand('k3.reviewFile', ...(how === 'by its address' ? [uri] : []));
        assert.deepEqual(asked.details, []);
        const found = await until(() => scripted.findings.list().find((one) => one.finding.claim === claim));
        assert.deepEqual([found.uri.toString(), found.startLine, found.endLine], [uri.toString(), 0, 0]);
        assert.equal(scripted.requests.length, before + 1);
        assert.ok(scripted.requests[before]?.body.includes(evidence));
      });
});

describe('A refused file', () => {
  aroundTools();

  it('is not looked for in a proposal if no system can have its path', async () => {
    const { exists, unread } = await findTarget(`${'a/'.repeat(3000)}b.ts`, { origin: undefined });
    assert.deepEqual({ exists, unread }, { exists: false, unread: 'unreadable' });
  });

  it('is reported as refused in a proposal', async () => {
    const answer = JSON.stringify({
      explanation: '',
      files: [{ path: pathOf('a.log'), edits: [{ find: HIDDEN, replace: 'x' }] }],
    });
    const { files } = await toProposedFiles(answer, { text: '', images: [], origin: undefined });
    assert.deepEqual(
      files[0]?.unplaced.map(({ reason }) => reason),
      ['refused'],
    );
    const proposal = scripted.proposals.add({
      turnId: 't',
      conversationId: scripted.conversations.current().id,
      files,
      trouble: undefined,
      revises: undefined,
    });
    assert.deepEqual(
      toProposalViews([proposal])[0]?.unplaced.map(({ why }) => why),
      ['Not placed: you didn’t allow the file to be read.'],
    );
  });

  it('is refused with all others of its proposal when its dialog is canceled, which that says', async () => {
    const paths = [join(outside, 'secret.txt'), join(outside, 'deep/secret.txt')];
    const edits = [{ find: SECRET, replace: 'x' }];
    const inJson = JSON.stringify({ explanation: '', files: paths.map((path) => ({ path, edits })) });
    const diffs = paths.map((path) => `--- ${path}\n+++ ${path}\n@@ -1 +1 @@\n-${SECRET}\n+x\n`);
    const inDiffs = `\`\`\`diff\n${diffs.join('')}\`\`\``;
    const first = JSON.stringify({ explanation: '', files: [{ path: paths[0], edits }] });
    const inBoth = `${first}\n\n\`\`\`txt ${paths[1]}\nx\n\`\`\`\n`;
    const question = { text: '', images: [], origin: undefined };
    for (const answer of [inJson, inDiffs, inBoth]) {
      const { files } = await toProposedFiles(answer, question);
      const reasons = files.flatMap(({ unplaced }) => unplaced.map(({ reason }) => reason));
      assert.deepEqual(reasons, ['refused', 'refused']);
    }
    asked.answer = 'Allow Once';
    const { files } = await toProposedFiles(inJson, question);
    const about = {
      conversationId: scripted.conversations.current().id,
      trouble: undefined,
      revises: undefined,
    };
    const { id } = scripted.proposals.add({ turnId: 't-canceled', ...about, files });
    asked.answer = undefined;
    for (const command of ['k3.acceptAll', 'k3.previewProposal'])
      await vscode.commands.executeCommand(command, { proposalId: id });
    const CANCEL = 'Cancel refuses this and all other files that you would be asked about.';
    assert.deepEqual(
      asked.details.map((detail) => [detail.split('\n')[0], detail.endsWith(CANCEL)]),
      [0, 0, 0, 0, 1, 0, 0].map((at) => [`Resolved path: ${paths[at]}`, true]),
    );
  });

  it('is reported as refused for a repository', async () => {
    execFileSync('git', ['init', '-q'], { cwd: outside });
    await openRepository(outside);
    const taken = await readChangesContext(async () => false);
    assert.ok(!taken.ok);
    assert.match(taken.why, /^The changes in .+ were not added because access was not allowed\.$/);
  });

  it('is reported to the model with the reasons', async () => {
    const path = pathOf('.env');
    assert.deepEqual(await call('read_file', { path }), {
      text: `The user did not allow ${path}: it may contain secrets.`,
      failed: true,
      refused: true,
    });
  });

  it('rejects when the turn is stopped while the dialog is open', async () => {
    asked.answer = 'Allow Once';
    const stop = new AbortController();
    asked.meanwhile = async () => stop.abort();
    const request = { uri: uriOf('a.log'), purpose: 'read' as const };
    await assert.rejects(requestAccess(request, { signal: stop.signal }), { name: 'AbortError' });
  });
});

describe('Edits proposed in two conversations', () => {
  aroundTools();

  it('wait for the dialogs of their own conversation only', async () => {
    const added: string[] = [];
    const tool = createEditTool({
      proposals: {
        ofTurn: () => [],
        ofFile: () => [],
        get: () => undefined,
        change: assert.fail,
        add: (proposal) => {
          added.push(proposal.conversationId);
          return { ...proposal, id: 'p', createdAt: 0 };
        },
      },
      runningTurn: () => {
        const { exchanges } = scripted.conversations.current();
        return scripted.conversations.find(exchanges[0]?.attempts[0]?.id ?? '');
      },
      log: { warn: assert.fail },
    });
    const answered = createDeferred<void>();
    const entered: string[] = [];
    const propose = (conversationId: string, waits: boolean) =>
      tool.run(
        { path: 'one.txt', edits: [{ find: 'one', replace: 'ONE' }] },
        {
          conversationId,
          enter: (state) => void entered.push(`${conversationId} ${state}`),
          signal: new AbortController().signal,
          token: new vscode.CancellationTokenSource().token,
          access: {
            open: async (_path, _purpose, _signal, whileAsking) => {
              if (waits) await whileAsking?.(() => answered.promise);
              return { uri: uriOf('one.txt'), realPath: join(made, 'one.txt') };
            },
            keepReadable: async (uris) => new Set(uris),
            refused: createRefusedFiles(),
          },
        },
      );
    const first = propose('a', true);
    const second = propose('a', false);
    await propose('b', false);
    assert.deepEqual(added, ['b']);
    assert.deepEqual(entered, ['a waiting'], 'the second one of the conversation');
    answered.resolve();
    await Promise.all([first, second]);
    assert.deepEqual(added, ['b', 'a', 'a']);
    assert.deepEqual(entered, ['a waiting', 'a running']);
  });
});
