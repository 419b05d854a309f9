/** An answer that asked for a change has a card, also if its changes can't be placed. */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import type { NewProposal } from '../../../../src/editor/proposals/proposalList.ts';
import { toOpenText } from '../../../../src/review/proposals/openHunks.ts';
import {
  EndOfLine,
  EventEmitter,
  FileType,
  textDocuments,
  Uri,
  workspace,
} from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { removeFolderSync } from '../../../support/removeFolder.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { EMPTY_STORE } from '../../../support/review/emptyStore.ts';
import { sharedWindows } from '../../../support/sharedWindows.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, conversationOf } from '../../conversation/turns.ts';

const { createProposals, registerProposalCreation, createPendingAnswers, toTroubleCards } =
  await withEditorStub(async () => ({
    ...(await import('../../../../src/editor/proposals/proposalList.ts')),
    ...(await import('../../../../src/editor/proposals/proposalCreation.ts')),
    ...(await import('../../../../src/editor/proposals/pendingAnswers.ts')),
    ...(await import('../../../../src/editor/proposals/proposalViews.ts')),
  }));

describe('An answer whose changes can’t be placed because of an error', () => {
  it('has a card, once, and the log has the error', async () => {
    const turn = { ...completeTurn('```ts\ntest();\n```'), id: 'turn' };
    const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'a\n' };
    const question = { text: 'Test it.', images: [], origin, purpose: 'tests' as const };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const conversation = conversationOf(exchange);
    const changes = new EventEmitter<unknown>();
    const [added, lines]: [NewProposal[], string[]] = [[], []];
    registerProposalCreation({
      conversations: { find: () => ({ conversation, exchange, turn }), onDidChange: changes.event },
      proposals: {
        ofFile: () => [],
        add(fresh: NewProposal) {
          added.push(fresh);
          return { ...fresh, id: 'proposal', createdAt: 0 };
        },
      },
      pending: createPendingAnswers(
        'k3.pendingProposals',
        { get: () => undefined, update: async () => undefined },
        { warn: assert.fail },
      ),
      // The stand-in for the editor has no file systems, so looking for the file of the tests fails.
      renames: { since: () => ({ withFilesNow: async (asked: unknown) => asked }) },
      log: { warn: (line: string) => void lines.push(line) },
    } as never);
    changes.fire({ type: 'turn', turn });
    await eventually(() => assert.equal(added.length, 1));
    assert.deepEqual([added[0]?.files, added[0]?.trouble], [[], { kind: 'failed' }]);
    assert.match(lines.join('\n'), /^couldn't create a proposal: TypeError: /);
    const [card] = toTroubleCards(added.map((fresh) => ({ ...fresh, id: 'proposal', createdAt: 0 })));
    assert.equal(card?.title, 'Couldn’t create a proposal from this answer');
    assert.match(card.body.join(), /To see why, run “K3: Show Log”/);
  });
});

describe('An answer whose proposal waits for a dialog while the next question is answered', () => {
  restoreAfterEach(workspace);
  afterEach(() => void textDocuments.splice(0));

  it('leaves the proposal of that question under review', async () => {
    const text = 'a\nb\nc\nd\n';
    const document = {
      uri: Uri.parse('file:///a.txt'),
      isClosed: false,
      eol: EndOfLine.LF,
      getText: () => text,
    };
    textDocuments.push(document);
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async () => document,
    });
    const ask = (id: string, startLine: number, line: string) => {
      const edits = [{ find: `${line}\n`, replace: `${line.toUpperCase()}\n` }];
      const answer = JSON.stringify({ explanation: '', files: [{ path: 'file:///a.txt', edits }] });
      const origin = { uri: 'file:///a.txt', startLine, endLine: startLine, text: `${line}\n` };
      const question = { text: 'Change it.', images: [], purpose: 'proposal' as const, origin };
      return { id: `${id}-exchange`, question, attempts: [{ ...completeTurn(answer), id }], shown: 0 };
    };
    const [waiting, next] = [ask('waiting', 0, 'a'), ask('next', 3, 'd')];
    let exchanges = [waiting];
    const find = (id: string) => {
      const exchange = exchanges.find(({ attempts }) => attempts.some((one) => one.id === id));
      return (
        exchange && { conversation: { ...conversationOf(), exchanges }, exchange, turn: exchange.attempts[0] }
      );
    };
    const proposals = createProposals({
      store: EMPTY_STORE,
      listed: () => new Set([conversationOf().id]),
      onDidList: () => ({ dispose: () => undefined }),
    } as never);
    const changes = new EventEmitter<unknown>();
    let answer: () => void = assert.fail;
    const dialog = new Promise<void>((resolve) => {
      answer = resolve;
    });
    registerProposalCreation({
      conversations: { find, onDidChange: changes.event },
      proposals,
      pending: createPendingAnswers(
        'k3.pendingProposals',
        { get: () => undefined, update: async () => undefined },
        { warn: assert.fail },
      ),
      renames: {
        since: ({ turn }: { turn: { id: string } }) => ({
          async withFilesNow(asked: unknown) {
            if (turn.id === 'waiting') await dialog;
            return asked;
          },
        }),
      },
      log: { warn: assert.fail },
    } as never);
    changes.fire({ type: 'turn', turn: waiting.attempts[0] });
    exchanges = [waiting, next];
    changes.fire({ type: 'turn', turn: next.attempts[0] });
    await eventually(() => assert.equal(proposals.ofTurn('next').length, 1));
    answer();
    await eventually(() => assert.equal(proposals.ofTurn('waiting').length, 1));
    assert.deepEqual(
      proposals
        .underReview()
        .map(({ proposal }) => proposal.turnId)
        .toSorted(),
      ['next', 'waiting'],
    );
    proposals.dispose();
  });
});

describe('An answer to a question about lines of a file that changes while it is running', () => {
  restoreAfterEach(workspace);
  afterEach(() => void textDocuments.splice(0));

  const lines = (startLine: number, text: string) => ({
    ...{ uri: 'file:///a.txt', startLine, endLine: startLine, text },
  });

  /** The text with what is proposed, and what has no place. */
  async function proposed(
    answer: string,
    { origin, more }: Pick<Question, 'origin' | 'more'>,
    before: string,
    after: string,
  ): Promise<readonly unknown[]> {
    let text = before;
    const document = {
      uri: Uri.parse('file:///a.txt'),
      isClosed: false,
      eol: EndOfLine.LF,
      getText: () => text,
    };
    textDocuments.push(document);
    Object.assign(workspace, {
      fs: { stat: async () => ({ type: FileType.File }) },
      openTextDocument: async () => document,
    });
    const turn = { ...completeTurn(answer), id: 'turn' };
    const asked = { text: 'Change it.', images: [], purpose: 'proposal' as const };
    const question = { ...asked, origin, ...(more && { more }) };
    const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
    const changes = new EventEmitter<unknown>();
    const added: NewProposal[] = [];
    registerProposalCreation({
      conversations: {
        find: () => ({ conversation: conversationOf(exchange), exchange, turn }),
        onDidChange: changes.event,
      },
      proposals: { ofFile: () => [], add: (fresh: NewProposal) => ({ id: `p${added.push(fresh)}` }) },
      pending: createPendingAnswers(
        'k3.pendingProposals',
        { get: () => undefined, update: async () => undefined },
        { warn: assert.fail },
      ),
      renames: { since: () => ({ withFilesNow: async (asked: unknown) => asked }) },
      log: { warn: assert.fail },
    } as never);
    const running = { ...turn, outcome: undefined };
    changes.fire({ type: 'exchange', exchange: { ...exchange, attempts: [running] } });
    text = after;
    changes.fire({ type: 'turn', turn });
    await eventually(() => assert.equal(added.length, 1));
    textDocuments.splice(0);
    const [
      {
        files: [file],
        trouble,
      } = { files: [], trouble: undefined },
    ] = added;
    return file ? [toOpenText(file), file.unplaced.map(({ reason }) => reason)] : [trouble?.kind];
  }

  const toEdits = (find: string, replace: string) =>
    JSON.stringify({ files: [{ path: 'file:///a.txt', edits: [{ find, replace }] }] });

  it('changes the one of several parts that was sent, also if that has moved to where equal lines are', async () => {
    const question = { origin: lines(0, 'one\n'), more: [lines(2, 'same\n')] };
    const [before, after] = ['one\ntwo\nsame\nthree\nsame\n', 'one\ntwo\nmore\nmore\nsame\nthree\nsame\n'];
    assert.deepEqual(await proposed(toEdits('same', 'SAME'), question, before, after), [
      'one\ntwo\nmore\nmore\nSAME\nthree\nsame\n',
      [],
    ]);
  });

  for (const [form, answer] of [
    ['code', '```txt\nnew\n```'],
    ['an edit of no line', toEdits('', 'new')],
    ['an edit of an empty line', toEdits('\n', 'new\n')],
  ] as const)
    it(`is added where the question was about the empty line at the end: ${form}`, async () => {
      const question = { origin: lines(3, '') };
      const result = (after: string) => proposed(answer, question, 'one\n\ntwo\n', after);
      assert.deepEqual(await result('one\n\ntwo\n'), ['one\n\ntwo\nnew\n', []]);
      assert.deepEqual(await result('more\none\n\ntwo\n'), ['more\none\n\ntwo\nnew\n', []]);
      const [text] = await result('one\n\ntwo\ntyped');
      assert.doesNotMatch(String(text), /typednew/);
    });
});

describe('A proposal that is being made, as while the user is asked about a file', () => {
  const turn = { ...completeTurn('```ts\ntest();\n```'), id: 'turn' };
  const question = {
    ...{ text: 'Test it.', images: [], purpose: 'tests' as const },
    origin: { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'a\n' },
  };
  const exchange = { id: 'exchange', question, attempts: [turn], shown: 0 };
  const conversation = conversationOf(exchange);
  let home: string;
  beforeEach(() => {
    home = mkdtempSync(join(tmpdir(), 'k3-pending-'));
  });
  afterEach(() => removeFolderSync(home));

  const open = () => sharedWindows(home)();
  const pendingOf = (own: number) =>
    createPendingAnswers('k3.pendingProposals', open(), { warn: assert.fail }, own);

  /** A window whose process has a number. `answered` says whether the user has answered. */
  function start(
    own: number,
    answered: () => Promise<void>,
    there: () => readonly object[] = () => [],
    pending = pendingOf(own),
    onLoad: () => boolean | undefined = () => undefined,
  ) {
    const changes = new EventEmitter<unknown>();
    const added: string[] = [];
    let loaded = false;
    const registered = registerProposalCreation({
      conversations: {
        get() {
          loaded = onLoad() !== false;
          return loaded ? conversation : undefined;
        },
        isUnread: () => !loaded,
        find: () => (loaded ? { conversation, exchange, turn } : undefined),
        onDidChange: changes.event,
      },
      pending,
      proposals: {
        ...{ ofFile: () => [], ofTurn: there },
        add({ turnId }: NewProposal) {
          added.push(turnId);
          return { id: 'proposal' };
        },
      },
      renames: {
        since: () => ({
          async withFilesNow(asked: unknown) {
            await answered();
            return asked;
          },
        }),
      },
      log: { warn: () => undefined },
    } as never);
    const answer = () => {
      loaded = true;
      changes.fire({ type: 'turn', turn });
    };
    const replaced = () => changes.fire({ type: 'replaced', conversationId: conversation.id });
    return { added, answer, replaced, close: () => registered.dispose() };
  }

  it('is made after the window was reloaded or killed meanwhile, once', async () => {
    for (const [isKilled, killed] of [
      [false, process.ppid],
      [true, 2 ** 22 + 1],
    ] as const) {
      let goOn = (): void => assert.fail();
      const held = new Promise<void>((resolve) => {
        goOn = resolve;
      });
      const window = start(killed, () => held);
      window.answer();
      if (!isKilled) window.close();
      const next = start(process.pid, async () => undefined);
      await eventually(() => assert.deepEqual(next.added, ['turn']));
      if (!isKilled) {
        // Closing the window closes the dialog.
        goOn();
        await new Promise((resolve) => setTimeout(resolve, 5));
        assert.deepEqual(window.added, []);
      }
      next.close();
      const last = start(process.pid, async () => assert.fail('it was made'));
      assert.deepEqual(last.added, []);
      last.close();
    }
  });

  it('is made when the conversation can be read, if another program has locked the database first', async () => {
    start(2 ** 22 + 1, () => new Promise(() => undefined)).answer();
    let isLocked = true;
    const pending = pendingOf(process.pid);
    const next = start(
      process.pid,
      async () => undefined,
      undefined,
      pending,
      () => !isLocked,
    );
    next.replaced();
    isLocked = false;
    for (let times = 0; times < 2; times++) next.replaced();
    await eventually(() => assert.deepEqual(next.added, ['turn']));
    next.replaced();
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([next.added, pending.left()], [['turn'], []]);
    next.close();
  });

  it('is made by no other window meanwhile, nor again if it is there', async () => {
    const window = start(process.ppid, () => new Promise(() => undefined));
    window.answer();
    const other = start(process.pid, async () => assert.fail('the first window makes it'));
    window.close();
    const next = start(
      process.pid,
      async () => assert.fail('it is there'),
      () => [{}],
    );
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual([other.added, next.added], [[], []]);
  });

  it('is made once by windows that begin together after the one that made it was killed', async () => {
    start(2 ** 22 + 1, () => new Promise(() => undefined)).answer();
    // They have read what is left before one of them begins to make it.
    const [one, other, late] = [process.ppid, process.pid, process.pid].map(pendingOf);
    const windows: ReturnType<typeof start>[] = [];
    windows.push(
      start(
        process.ppid,
        async () => undefined,
        undefined,
        one,
        () => {
          // This one is about to.
          windows.push(start(process.pid, async () => undefined, undefined, other));
          return undefined;
        },
      ),
    );
    const added = () => windows.flatMap((window) => window.added);
    await eventually(() => assert.notDeepEqual(added(), []));
    windows.push(start(process.pid, async () => undefined, undefined, late));
    await new Promise((resolve) => setTimeout(resolve, 5));
    assert.deepEqual(added(), ['turn']);
    for (const window of windows) window.close();
  });
});
