/** The names that the files of a question have after renames, of which only those since it was asked count. */
import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { AskedTurn } from '../../../../src/conversation/askedSince.ts';
import { withoutTail } from '../../../../src/conversation/branches.ts';
import { type Conversation, type Exchange, withExchange } from '../../../../src/conversation/conversation.ts';
import type { Origin } from '../../../../src/conversation/question.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { Renames } from '../../../../src/editor/proposals/renamedFiles.ts';
import { EventEmitter, FileType, Uri, workspace } from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { followRenames } = await withEditorStub(
  () => import('../../../../src/editor/proposals/renamedFiles.ts'),
);

const UNTITLED = 'untitled:Untitled-1';
const [A, B, C, X] = ['a', 'b', 'c', 'x'].map((name) => `file:///${name}.ts`) as [
  string,
  string,
  string,
  string,
];

describe('The files of a question', () => {
  const before = { ...workspace };
  const renamed = new EventEmitter<object>();
  let files: Set<string>;
  let loaded: Conversation[];
  let queued: string[];
  let running: boolean;
  let renames: Renames;
  let followed: () => readonly { readonly uri: string }[];
  let save: (from: string, to: string) => void;
  let turns: number;

  beforeEach(() => {
    mock.timers.enable({ apis: ['Date'], now: 1000 });
    [files, loaded, queued, running, turns] = [new Set(), [], [], false, 0];
    Object.assign(workspace, {
      onDidRenameFiles: renamed.event,
      fs: {
        stat: async (uri: Uri) =>
          files.has(uri.toString()) ? { type: FileType.File } : Promise.reject(new Error('no such file')),
      },
    });
    renames = followRenames({
      moved: {
        follow({ files: followedFiles, move }) {
          followed = followedFiles;
          save = (from, to) => pass(() => move(Uri.parse(from) as never, Uri.parse(to) as never));
        },
        settled: async () => undefined,
      },
      conversations: {
        loaded: () => loaded,
        isRunning: () => running,
        queue: () => queued.map((id) => ({ id, question: { text: '', images: [], origin: undefined } })),
      },
    });
  });
  afterEach(() => {
    renames.dispose();
    mock.timers.reset();
    for (const name of ['fs']) Reflect.deleteProperty(workspace, name);
    Object.assign(workspace, before);
  });

  function pass<Result>(act: () => Result): Result {
    mock.timers.tick(10);
    return act();
  }

  const rename = (from: string, to: string) =>
    pass(() => {
      files.delete(from);
      files.add(to);
      renamed.fire({ files: [{ oldUri: Uri.parse(from), newUri: Uri.parse(to) }] });
    });

  const originOf = (uri: string): Origin => ({ uri, startLine: 0, endLine: 0, text: 'one\n', path: 'p' });

  const turnNow = (origin?: Origin): Turn =>
    pass(() => ({
      ...completeTurn('So.', origin && { origin }),
      id: `turn ${++turns}`,
      startedAt: Date.now(),
    }));

  function ask(uri: string, id = 'asked'): AskedTurn {
    const turn = turnNow();
    const question = { text: 'Why?', images: [], origin: originOf(uri) };
    const exchange: Exchange = { id, question, attempts: [turn], shown: 0 };
    return { conversation: conversationOf(exchange), exchange, turn };
  }

  function again({ conversation, exchange }: AskedTurn, origin?: Origin): AskedTurn {
    const turn = turnNow(origin);
    const tried = { ...exchange, attempts: [...exchange.attempts, turn], shown: exchange.attempts.length };
    return { conversation: withExchange(conversation, tried), exchange: tried, turn };
  }

  const nowOf = async (asked: AskedTurn): Promise<string | undefined> =>
    (await renames.since(asked).withFilesNow(asked.exchange.question)).origin?.uri;

  it('have their names after all renames since then, also if others have got their names', async () => {
    const asked = ask(UNTITLED);
    save(UNTITLED, A);
    rename(A, B);
    files.add(A);
    assert.equal(await nowOf(asked), B);
    rename(B, A);
    assert.equal(await nowOf(asked), A);
  });

  it('are not those that had their names before', async () => {
    save(UNTITLED, X);
    const untitled = ask(UNTITLED);
    assert.equal(await nowOf(untitled), UNTITLED);
    save(UNTITLED, C);
    assert.equal(await nowOf(untitled), C);
    rename(A, B);
    files.add(A);
    const file = ask(A);
    assert.equal(await nowOf(file), A);
    files.delete(A);
    assert.equal(await nowOf(file), A, 'it was deleted');
    files.add(A);
    rename(A, C);
    assert.equal(await nowOf(file), C);
  });

  it('are there again under their names if another program has renamed them back', async () => {
    const asked = ask(A);
    rename(A, B);
    files = new Set([A]);
    assert.equal(await nowOf(asked), A);
  });

  it('are those of the first attempt, unless a later one has read its lines again', async () => {
    const first = ask(UNTITLED);
    save(UNTITLED, A);
    const retried = again(first);
    assert.equal(await nowOf(retried), A);
    const read = again(retried, { ...originOf(UNTITLED), startLine: 1 });
    assert.equal(await nowOf(read), UNTITLED);
  });

  it('are those of the question before it was edited, and of the first part of an answer', async () => {
    const first = ask(UNTITLED);
    save(UNTITLED, A);
    const base = withoutTail(first.conversation, 'asked');
    const edited = ask(UNTITLED, 'edited');
    const conversation = withExchange(base, edited.exchange);
    assert.equal(await nowOf({ ...edited, conversation }), A);
    const rest = ask(UNTITLED, 'rest');
    const exchange = { ...rest.exchange, question: { ...rest.exchange.question, continues: edited.turn.id } };
    assert.equal(await nowOf({ ...rest, exchange, conversation: withExchange(conversation, exchange) }), A);
  });

  it('are those that they were when it was queued', async () => {
    loaded = [conversationOf()];
    queued = ['asked'];
    save(UNTITLED, A);
    queued = [];
    const asked = ask(UNTITLED);
    assert.equal(await nowOf(asked), A);
    const read = again(asked, { ...originOf(UNTITLED), startLine: 1 });
    assert.equal(await nowOf(read), UNTITLED, 'its lines were read again');
    assert.equal(await nowOf(ask(UNTITLED, 'other')), UNTITLED);
  });

  it('have their names after renames while its answer runs, also if the clock is set back', async () => {
    const asked = ask(A);
    loaded = [asked.conversation];
    running = true;
    mock.timers.setTime(1);
    rename(A, B);
    assert.equal(await nowOf(asked), B);
  });

  it('are followed under the names that they have while its answer runs', () => {
    const asked = ask(A);
    loaded = [asked.conversation];
    rename(A, B);
    assert.deepEqual(followed(), []);
    running = true;
    assert.deepEqual(followed(), [{ uri: B }]);
  });

  it('are all renamed since the window was opened if it was asked before', async () => {
    const asked = ask(A);
    rename(A, B);
    rename(B, C);
    assert.equal(await nowOf(asked), C);
    assert.equal(await renames.since(asked).uriNow(X), X);
  });
});
