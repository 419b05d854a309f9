import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { HunkTarget } from '../../../../src/editor/proposals/hunkTargets.ts';
import { withTextNow } from '../../../../src/review/proposals/fileChanges.ts';
import {
  type FileProposal,
  type Proposal,
  toFileProposal,
} from '../../../../src/review/proposals/proposal.ts';
import { commands, registered, Uri, window, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerProposalCommands } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalCommands.ts'),
);

/** A hunk that inserts above the second line, one for the third line, and one for the last line. */
const FILE = toFileProposal({
  uri: 'file:///a.txt',
  label: 'a.txt',
  isNew: false,
  before: 'a\nb\nc\nd\ne\nf\n',
  after: 'a\nnew\nb\nC\nd\ne\nF\n',
  asked: undefined,
  unplaced: [],
});

describe('Hunks that begin on the same line', () => {
  restoreAfterEach(window);
  let file: FileProposal;
  let editor: { readonly selection: { active: { line: number } } };
  let decided: string[];
  let commented: string[];
  beforeEach(() => {
    // The line between the first two hunks was deleted.
    const text = 'a\nc\nd\ne\nf\n';
    file = withTextNow(FILE, text, '\n');
    decided = [];
    commented = [];
    let line = 0;
    editor = {
      document: {
        uri: Uri.parse(FILE.uri),
        lineCount: 6,
        positionAt: (offset: number) => ({
          line: text.slice(0, offset).split('\n').length - 1,
          character: offset - text.lastIndexOf('\n', offset - 1) - 1,
        }),
      },
      get selection() {
        return { active: { line } };
      },
      set selection(to: unknown) {
        line = (to as { start: { line: number } }).start.line;
      },
      revealRange: () => undefined,
    } as typeof editor;
    Object.assign(window, { activeTextEditor: editor, showTextDocument: async () => editor });
    const proposal = () => ({ id: 'p', files: [file] }) as unknown as Proposal;
    const decide = async (_: string, __: string, ids: ReadonlySet<string>) => {
      decided.push(...ids);
      file = {
        ...file,
        hunks: file.hunks.map((one) => (ids.has(one.hunk.id) ? { ...one, state: 'rejected' } : one)),
      };
    };
    const underReview = () => [{ proposal: proposal(), file }];
    registerProposalCommands({
      proposals: { get: proposal, ofFile: underReview, underReview, reject: decide },
      documents: { fileIn: () => undefined },
      edits: { accept: decide },
      threads: {
        expand: () => undefined,
        openCommentBox: async ({ hunkId }: { hunkId: string }) => void commented.push(hunkId),
      },
      missing: { isMissing: async () => false },
      lastEditor: { get: () => editor },
    } as never);
  });

  const go = async (...names: readonly string[]) => {
    for (const name of names) await registered.get(`k3.${name}`)?.();
  };

  it('are all shown one after the other, and the one that is shown is decided', async () => {
    const [first, second, third] = file.hunks.map(({ hunk }) => hunk.id);
    await go('nextHunk', 'nextHunk');
    assert.equal(editor.selection.active.line, 1);
    await go('acceptHunk');
    assert.deepEqual(decided, [second]);
    await go('nextHunk', 'nextHunk');
    assert.equal(editor.selection.active.line, 4, 'past the one that was passed');
    await go('previousHunk', 'rejectHunk', 'nextHunk', 'acceptHunk');
    assert.deepEqual(decided, [second, first, third]);
  });

  it('are commented on where they are shown, and not in place of one that is gone', async () => {
    const [, second] = file.hunks.map(({ hunk }) => hunk.id);
    await go('nextHunk', 'nextHunk');
    await registered.get('k3.commentHunk')?.({ proposalId: 'p', uri: FILE.uri, hunkId: 'gone' } as never);
    await go('commentHunk');
    assert.deepEqual(commented, [second]);
  });

  it('follow that of the file while the focus is in the box of a comment, and are not decided from there', async () => {
    await go('nextHunk', 'nextHunk');
    const box = { ...editor, document: { uri: Object.assign(new Uri('/box.md'), { scheme: 'comment' }) } };
    const status: string[] = [];
    Object.assign(window, {
      activeTextEditor: box,
      setStatusBarMessage: (text: string) => void status.push(text),
    });
    await go('nextHunk');
    assert.equal(editor.selection.active.line, 4);
    await go('acceptHunk');
    assert.deepEqual([decided, status], [[], ['There is no hunk at the cursor. Moved to the next hunk.']]);
  });

  it('are decided by their own lines before one that only adds lines beside them', async () => {
    const [, second] = file.hunks.map(({ hunk }) => hunk.id);
    Object.assign(editor, { selection: { start: { line: 1 } } });
    await go('acceptHunk');
    assert.deepEqual(decided, [second]);
  });

  it('are shown when the one before on the line was decided', async () => {
    const [first, second] = file.hunks.map(({ hunk }) => hunk.id);
    await go('nextHunk', 'rejectHunk', 'nextHunk');
    assert.equal(editor.selection.active.line, 1);
    await go('acceptHunk');
    assert.deepEqual(decided, [first, second]);
  });

  it('are shown when the one behind on the line was decided, and the user goes back', async () => {
    const [first, second, third] = file.hunks.map(({ hunk }) => hunk.id);
    await go('nextHunk', 'nextHunk', 'rejectHunk', 'previousHunk');
    await go('acceptHunk', 'previousHunk', 'acceptHunk');
    assert.deepEqual(decided, [second, first, third]);
  });
});

describe('The next hunk', () => {
  restoreAfterEach(window, workspace, commands);

  it('is that behind a new file, whose diff is shown, and in which Accept creates it', async () => {
    const { before, asked, unplaced } = FILE;
    const toFile = (name: string, isNew: boolean) =>
      toFileProposal({
        ...{ uri: `file:///${name}`, label: name, isNew, asked, unplaced },
        ...{ before: isNew ? '' : before, after: before.replace('b', 'B') },
      });
    const files = [toFile('new.txt', true), toFile('other.txt', false), toFile('newer.txt', true)];
    const proposal = { id: 'p', files } as unknown as Proposal;
    const [shown, accepted]: [string[], unknown[]] = [[], []];
    const show = (name: string, uri: Uri) => {
      shown.push(name);
      const selection = { active: { line: 1 } };
      const editor = { selection, revealRange: () => undefined };
      const document = { uri, lineCount: 7, positionAt: () => ({ line: 1, character: 0 }) };
      Object.assign(window, { activeTextEditor: { ...editor, document } });
      return { ...editor, document };
    };
    Object.assign(window, {
      showTextDocument: async (uri: Uri) => show(String(uri), uri),
      activeTextEditor: undefined,
    });
    Object.assign(commands, {
      async executeCommand(id: string, _: Uri, after: Uri) {
        if (id === 'vscode.diff') show(after.path, after);
      },
    });
    registerProposalCommands({
      proposals: { get: () => proposal, underReview: () => files.map((file) => ({ proposal, file })) },
      documents: {
        fileIn: ({ query = '' }: { readonly query?: string }) =>
          files.find((file) => file.uri === new URLSearchParams(query).get('file')),
      },
      edits: { accept: async (...of: readonly unknown[]) => void accepted.push(of[1]) },
      threads: { expand: () => undefined },
      missing: { isMissing: async () => false },
      lastEditor: { get: () => undefined },
    } as never);
    for (let times = 0; times < 4; times++) await registered.get('k3.nextHunk')?.();
    await registered.get('k3.previousHunk')?.();
    assert.deepEqual(shown, ['/new.txt', 'file:///other.txt', '/newer.txt', '/new.txt', '/newer.txt']);
    await registered.get('k3.acceptHunk')?.();
    assert.deepEqual(accepted, ['file:///newer.txt']);
  });

  it('is the first one of the file whose diff is in front, also if it was renamed since, and the previous one its last', async () => {
    const { before, asked, unplaced } = FILE;
    const files = ['a', 'b', 'c'].map((label) =>
      toFileProposal({
        ...{ uri: `file:///${label}`, label, isNew: false, before, asked, unplaced },
        after: before.replace('b', 'B').replace('e', 'E'),
      }),
    );
    const proposal = { id: 'p', files } as unknown as Proposal;
    const query = new URLSearchParams({ proposal: 'p', file: 'file:///old', side: 'after' }).toString();
    const uri = Object.assign(new Uri('/b'), { scheme: 'k3-proposal', query });
    const expanded: unknown[] = [];
    const document = { uri: Uri.parse('file:///b'), lineCount: 7, positionAt: () => ({ line: 1 }) };
    Object.assign(window, {
      activeTextEditor: { document: { uri } },
      showTextDocument: async () => ({ document, revealRange: () => undefined }),
    });
    registerProposalCommands({
      proposals: { get: () => proposal, underReview: () => files.map((file) => ({ proposal, file })) },
      documents: { fileIn: (one: unknown) => (one === uri ? files[1] : undefined) },
      threads: { expand: ({ uri, hunkId }: HunkTarget) => void expanded.push([uri, hunkId]) },
      missing: { isMissing: async () => false },
      lastEditor: { get: () => undefined },
    } as never);
    await registered.get('k3.nextHunk')?.();
    await registered.get('k3.previousHunk')?.();
    assert.deepEqual(expanded, [
      ['file:///b', '0'],
      ['file:///b', '1'],
    ]);
  });

  it('is that of a selected cell without an editor, also if one of the same number was shown last in another cell', async () => {
    const { before, after, asked, unplaced } = FILE;
    const files = ['a', 'b'].map((label) =>
      toFileProposal({ uri: `file:///${label}`, label, isNew: false, before, after, asked, unplaced }),
    );
    const proposal = { id: 'p', files } as unknown as Proposal;
    const expanded: unknown[] = [];
    const cells = files.map(({ uri }) => ({
      document: { uri: Uri.parse(uri), lineCount: 7, positionAt: () => ({ line: 1 }) },
    }));
    const notebook = { getCells: () => cells };
    const select = (start: number) =>
      Object.assign(window, { activeNotebookEditor: { notebook, selection: { start } } });
    Object.assign(workspace, { notebookDocuments: [notebook] });
    Object.assign(window, {
      showTextDocument: async () => ({ document: cells[0]?.document, revealRange: () => undefined }),
    });
    registerProposalCommands({
      proposals: { get: () => proposal, underReview: () => files.map((file) => ({ proposal, file })) },
      documents: { fileIn: () => undefined },
      threads: { expand: ({ uri, hunkId }: HunkTarget) => void expanded.push([uri, hunkId]) },
      missing: { isMissing: async () => false },
      lastEditor: { get: () => undefined },
    } as never);
    for (const cell of [0, 1, 1]) {
      select(cell);
      await registered.get('k3.nextHunk')?.();
    }
    assert.deepEqual(expanded, [
      ['file:///a', '0'],
      ['file:///b', '0'],
      ['file:///b', '1'],
    ]);
  });
});
