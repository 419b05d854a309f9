import assert from 'node:assert/strict';
import { afterEach, describe, it } from 'mocha';
import { toFileProposal } from '../../../../src/review/proposals/proposal.ts';
import { languages, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { registerHunkHovers } = await withEditorStub(
  () => import('../../../../src/editor/proposals/hunkHovers.ts'),
);

const TEXT = 'one\ntwo\nthree\n';
const document = {
  uri: 'cell:a#0',
  positionAt(at: number) {
    const before = TEXT.slice(0, at).split('\n');
    return { line: before.length - 1, character: before.at(-1)?.length };
  },
};

describe('The hover over a hunk in a cell', () => {
  const { getConfiguration } = workspace;
  afterEach(() => void Object.assign(workspace, { getConfiguration }));

  const hoverAt = (line: number, after: string, state: 'open' | 'stale' | 'rejected' = 'open') => {
    const file = toFileProposal({
      ...{ uri: document.uri, label: 'a#1', isNew: false, before: TEXT, after },
      ...{ asked: undefined, unplaced: [] },
    });
    const shown = { ...file, hunks: file.hunks.map((one) => ({ ...one, state })) };
    let provide:
      | ((of: object, at: object) => { contents: { value: string; isTrusted?: object }[] } | undefined)
      | undefined;
    Object.assign(languages, {
      registerHoverProvider(_: unknown, provider: { provideHover: typeof provide }) {
        provide = provider.provideHover;
      },
    });
    registerHunkHovers({ proposals: { ofFile: () => [{ proposal: { id: 'p' }, file: shown }] } } as never);
    return provide?.(document, { line })?.contents.map(({ value, isTrusted }) => ({ value, isTrusted }));
  };
  const textAt = (...at: Parameters<typeof hoverAt>) => hoverAt(...at)?.[0]?.value;

  it('is at the lines that it deletes, or at the line above which it inserts', () => {
    const lines = (after: string) => [0, 1, 2, 3].filter((line) => hoverAt(line, after) !== undefined);
    assert.deepEqual(lines('one\n2\n3\n'), [1, 2]);
    assert.deepEqual(lines('one\nnew\ntwo\nthree\n'), [1]);
  });

  it('is there until the hunk is decided, also when its lines have changed, which it says', () => {
    assert.equal(hoverAt(1, 'one\nthree\n', 'rejected'), undefined);
    assert.match(textAt(1, 'one\nthree\n', 'stale') ?? '', /lines have changed/);
  });

  it('has both texts as code for screen readers', () => {
    Object.assign(workspace, { getConfiguration: () => ({ get: () => 'on' }) });
    assert.equal(textAt(1, 'one\nTWO\nthree\n'), '- two\n+ TWO');
  });

  it('has what is above the lines as well, which it covers, and trusts no text of an answer with it', () => {
    const [text, links] = hoverAt(1, 'one\n[a](command:k3.acceptAll)\nthree\n') ?? [];
    assert.equal(text?.isTrusted, undefined);
    assert.deepEqual(links?.isTrusted, {
      enabledCommands: ['k3.acceptHunk', 'k3.rejectHunk', 'k3.commentHunk'],
    });
    const [accept] = links?.value.split(' | ') ?? [];
    const [, args = ''] = /^\[Accept\]\(command:k3\.acceptHunk\?(.*)\)$/.exec(accept ?? '') ?? [];
    assert.deepEqual(JSON.parse(decodeURIComponent(decodeURIComponent(args))), [
      { proposalId: 'p', uri: 'cell:a#0', hunkId: '0' },
    ]);
  });
});
