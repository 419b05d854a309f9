import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import type { FindingsDeps } from '../../../../src/editor/findings/findingList.ts';
import type { StoredReview } from '../../../../src/review/storedFindings.ts';
import * as stub from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createFindings } = await withEditorStub(
  () => import('../../../../src/editor/findings/findingList.ts'),
);

const LOOP = 'for (;;) run();';
const FILE = 'file:///w/a.js';

describe('A finding in a file that is closed', () => {
  restoreAfterEach(stub.workspace);

  const opened = new stub.EventEmitter<object>();
  const closed = new stub.EventEmitter<object>();
  beforeEach(() => {
    const watcher = { onDidCreate: never, onDidDelete: never, onDidChange: never, dispose: () => undefined };
    Object.assign(stub.workspace, {
      ...{ onDidOpenTextDocument: opened.event, onDidCloseTextDocument: closed.event, textDocuments: [] },
      ...{ onDidCreateFiles: never, createFileSystemWatcher: () => watcher },
      fs: { isWritableFileSystem: () => false },
    });
  });

  const never = () => new stub.Disposable(() => undefined);
  const documentOf = (...lines: readonly string[]) => ({
    uri: { toString: () => FILE },
    getText: () => lines.join('\n'),
  });
  const finding = {
    ...{ file: 'a.js', startLine: 3, endLine: 3, claim: 'It never ends.', evidence: LOOP },
    severity: 'error',
    edit: undefined,
  } as const;
  const review: StoredReview = {
    ...{ turnId: 't1', conversationId: 'c1' },
    findings: [
      {
        ...{ id: 'f1', finding, uri: FILE, state: 'open' },
        placement: { placed: true, startLine: 2, endLine: 2 },
      },
    ],
  };

  it('is at its lines when the file is open again, also if other lines are equal that Git has put in their place', () => {
    const document = documentOf('one', 'two', LOOP, 'three', LOOP);
    Object.assign(stub.workspace, { textDocuments: [document] });
    const deps = {
      conversations: { list: () => [{ id: 'c1' }], find: () => undefined, onDidChange: never },
      state: { get: () => [review], update: async () => undefined },
      ...{ moved: { follow: () => undefined }, renames: {}, log: { warn: assert.fail } },
    };
    const findings = createFindings(deps as unknown as FindingsDeps);
    const place = () => findings.list().map(({ startLine, stale }) => [startLine, stale]);
    assert.deepEqual(place(), [[2, false]]);
    closed.fire(document);
    opened.fire(documentOf('a', 'b', LOOP, 'c', 'one', 'two', LOOP, 'three', LOOP));
    assert.deepEqual(place(), [[6, false]]);
    findings.dispose();
  });
});
