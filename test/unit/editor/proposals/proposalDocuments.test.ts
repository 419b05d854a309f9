/** What an open diff of a proposal shows. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { withRenamed } from '../../../../src/review/proposals/fileChanges.ts';
import { type Proposal, toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { withText } from '../../../../src/review/proposals/proposalTextChanges.ts';
import { commands, EventEmitter, Uri, workspace } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { openProposalDiff, registerProposalDocuments } = await withEditorStub(
  () => import('../../../../src/editor/proposals/proposalDocuments.ts'),
);

interface Address {
  readonly scheme: string;
  readonly query: string;
}

const fileOf = (label: string) =>
  toFileProposal({
    ...{ uri: `file:///${label}`, label, isNew: false, before: `${label}\n`, after: 'new\n' },
    ...{ asked: undefined, unplaced: [] },
  });

describe('An open diff of a proposal', () => {
  restoreAfterEach(commands, workspace, Uri);

  it('has the text of its file also when that or a folder above it is renamed', async () => {
    const about = { turnId: 't', conversationId: 'c', createdAt: 0, trouble: undefined, revises: undefined };
    let proposal: Proposal = { ...about, id: 'p', files: [fileOf('a.txt'), fileOf('b/b.txt')] };
    const changes = new EventEmitter<{ uris: readonly string[]; turnIds: readonly string[] }>();
    const documents: { readonly uri: Address }[] = [];
    let read: (uri: Address) => string = () => assert.fail();
    const told: Address[] = [];
    Object.assign(Uri, { from: (address: Address) => address });
    Object.assign(workspace, {
      textDocuments: documents,
      registerTextDocumentContentProvider(
        _: string,
        provider: {
          readonly provideTextDocumentContent: typeof read;
          readonly onDidChange: (listener: (uri: Address) => void) => void;
        },
      ) {
        read = provider.provideTextDocumentContent;
        provider.onDidChange((uri) => told.push(uri));
      },
    });
    const shown: (readonly [unknown, Address, Address])[] = [];
    Object.assign(commands, {
      executeCommand: async (_: string, __: string, sides: typeof shown) => void shown.push(...sides),
    });
    let move: (from: Uri, to: Uri) => void = () => assert.fail();
    const { fileIn } = registerProposalDocuments({
      proposals: { get: () => proposal, onDidChange: changes.event as never },
      moved: {
        follow(follower) {
          move = follower.move as never;
        },
      },
    });
    await openProposalDiff({ get: () => proposal }, proposal);
    const sides = shown.map(([, now]) => now);
    documents.push(...sides.map((uri) => ({ uri })));
    const texts = () => sides.map((uri) => read(uri));
    assert.deepEqual(texts(), ['a.txt\n', 'b/b.txt\n']);
    proposal = withRenamed(proposal, 'file:///b', 'file:///c', 'c');
    const [first, second] = proposal.files;
    assert.ok(first && second);
    proposal = { ...proposal, files: [first, withText(second, 'b/b.txt\nmore\n')] };
    move(Uri.parse('file:///b'), Uri.parse('file:///c'));
    assert.deepEqual([texts(), told], [['a.txt\n', 'b/b.txt\nmore\n'], sides.slice(1)]);
    const files = sides.map((uri) => fileIn(uri as never)?.uri);
    assert.deepEqual(files, ['file:///a.txt', 'file:///c/b.txt']);
    changes.fire({ turnIds: [], uris: ['file:///c/b.txt'] });
    assert.equal(told.length, 2);
  });

  it('has the proposal as it was made if its lines are no longer in the file, which another program has changed', async () => {
    const sides: string[] = [];
    Object.assign(Uri, { from: (address: object) => address });
    Object.assign(commands, {
      executeCommand: async (_: string, ...shown: readonly Address[]) =>
        void sides.push(
          ...shown.slice(0, 2).map(({ query }) => new URLSearchParams(query).get('side') ?? ''),
        ),
    });
    const open = async (text: string) => {
      const document = { uri: Uri.parse('file:///a.txt'), getText: () => text, eol: 1, isClosed: false };
      Object.assign(workspace, {
        textDocuments: [],
        openTextDocument: async () => void Object.assign(workspace, { textDocuments: [document] }),
      });
      const about = {
        turnId: 't',
        conversationId: 'c',
        createdAt: 0,
        trouble: undefined,
        revises: undefined,
      };
      const proposal = { ...about, id: 'p', files: [fileOf('a.txt')] };
      await openProposalDiff({ get: () => proposal }, proposal);
      return sides.splice(0);
    };
    assert.deepEqual(await open('a.txt\n'), ['now', 'after']);
    assert.deepEqual(await open('other\n'), ['before', 'proposed']);
  });

  it('shows a change as text that names another schema, which extensions would get before it is reviewed', async () => {
    const shown: { readonly path: string }[] = [];
    Object.assign(Uri, { from: (address: object) => address });
    Object.assign(commands, {
      executeCommand: async (_: string, ...sides: typeof shown) => void shown.push(...sides.slice(0, 2)),
    });
    Object.assign(workspace, { openTextDocument: async () => undefined });
    const open = async (label: string, after: string) => {
      const file = toFileProposal({ ...fileOf(label), before: '{}\n', after });
      const about = {
        turnId: 't',
        conversationId: 'c',
        createdAt: 0,
        trouble: undefined,
        revises: undefined,
      };
      const proposal = { ...about, id: 'p', files: [file] };
      await openProposalDiff({ get: () => proposal }, proposal);
      return shown.splice(0).map(({ path }) => path);
    };
    assert.deepEqual(await open('a.json', '{"a": 1}\n'), ['/a.json', '/a.json']);
    const named = '{"$schema": "https://thief.example/?secret"}\n';
    assert.deepEqual(await open('a.json', named), ['/a.json', '/a.json.txt']);
  });
});
