import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import { EventEmitter, extensions, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { findReviewedFiles } = await withEditorStub(
  () => import('../../../../src/editor/findings/reviewedFiles.ts'),
);

describe('The files of a review', () => {
  restoreAfterEach(workspace, extensions, Uri.prototype);

  it('have what was typed while others were read, so that findings are placed there', async () => {
    let text = 'let total = 0;\n';
    let opened = 0;
    workspace.openTextDocument = async () => {
      opened++;
      if (opened === 2) text = `// New.\n${text}`;
      return { uri: 'file:///sum.js', getText: () => text };
    };
    const question: Question = {
      text: '## File: sum.js (modified, js)\n\n## File: other.js (modified, js)',
      images: [],
      origin: { uri: 'file:///sum.js', startLine: 0, endLine: 0 },
    };
    const files = await findReviewedFiles({ question, lines: undefined }, { uriNow: async (uri) => uri });
    assert.equal(files.named('sum.js')?.text, '// New.\nlet total = 0;\n');
  });

  it('are found in the repository of the question while the editor starts, which opens repositories later', async () => {
    const root = new Uri('/w/repo');
    Object.assign(Uri.prototype, { with: ({ path }: Uri) => new Uri(path) });
    const started = new EventEmitter<string>();
    let listening = 0;
    const onDidChangeState = (listener: (state: string) => unknown) => {
      listening++;
      return started.event(listener);
    };
    const api = { state: 'uninitialized', onDidChangeState, repositories: [] as object[] };
    const git = { enabled: true, getAPI: () => api };
    Object.assign(extensions, { getExtension: () => ({ activate: async () => git, exports: git }) });
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async (uri: unknown) => ({ uri, getText: () => 'let total = 0;\n' }),
    });
    const question: Question = {
      text: '## File: sum.js (modified, js)',
      images: [],
      origin: undefined,
      repository: '/w/repo',
    };
    const finding = findReviewedFiles({ question, lines: undefined }, { uriNow: async (uri) => uri });
    await eventually(() => assert.equal(listening, 1));
    Object.assign(api, { state: 'initialized', repositories: [{ rootUri: root }] });
    started.fire('initialized');
    assert.equal((await finding).named('sum.js')?.uri, '/w/repo/sum.js');
  });
});
