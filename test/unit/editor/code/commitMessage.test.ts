import assert from 'node:assert/strict';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toContinuingQuestion, toEditedQuestion } from '../../../../src/conversation/continuingQuestion.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { History } from '../../../../src/history/history.ts';
import { type Refused, refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { answeredTurn } from '../../../support/answeredTurn.ts';
import { commands, EventEmitter, extensions, Uri, window } from '../../../support/editorStub.ts';
import { eventually } from '../../../support/eventually.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { makeFolder, open, storeOn } from '../../history/support.ts';

const { createCommitMessage, createConversations, putMessage, watchArrivals, watchCommitMessages } =
  await withEditorStub(async () => ({
    ...(await import('../../../../src/editor/chatView/answerNotifications.ts')),
    ...(await import('../../../../src/editor/code/commitAnswers.ts')),
    ...(await import('../../../../src/editor/code/commitMessage.ts')),
    ...(await import('../../../../src/editor/code/commitNotifications.ts')),
    ...(await import('../../../../src/editor/conversations/conversationList.ts')),
  }));

const MESSAGE = 'Ring the bell';
/** Until what follows from an answer has happened. */
const soon = () => wait(20);

describe('A commit message', () => {
  const originals = { ...window };
  const { getExtension } = extensions;
  const { executeCommand } = commands;
  let conversations: Conversations;
  let write: (isInView?: boolean) => Promise<void>;
  let watching: { dispose(): unknown };
  let inputBox: { value: string };
  /** The current commit. */
  let head: { commit: string };
  /** Those that are open in the window. */
  let repositories: object[];
  /** Of the Git extension. */
  let api: { state: string; onDidChangeState: unknown; repositories: object[]; getRepository: unknown };
  let stateChanged: EventEmitter<void>;
  /** Cancels the request in its notification. */
  let cancel: () => void;
  let told: string[];
  /** What is refused before a request is sent, if anything. */
  let refusals: Refused[];
  /** Resolves when a request may be sent. */
  let preparing: Promise<void>;
  /** Ends the requests that were sent. */
  let sent: ((turn: Turn) => void)[];

  function openWindow(history: History | undefined): void {
    conversations = createConversations({
      turns: {
        async prepare<Content extends TurnContent>(_: unknown, signal?: AbortSignal) {
          await preparing;
          const refused = signal?.aborted ? refuse({ kind: 'stopped' }) : refusals.shift();
          if (refused !== undefined) return refused;
          return answeredTurn<Content>(`turn ${sent.length}`, ({ begin, end }) => {
            sent.push(end);
            begin();
          });
        },
      },
      log: { warn: assert.fail } as never,
      store: storeOn(history),
      untitled: 'Untitled',
      workspace: undefined,
      lastConversation: { get: () => undefined, set: () => undefined },
    });
    const { write: run, answered } = createCommitMessage({
      conversations,
      reads: { askForFolder: async () => true },
      log: { info: assert.fail, warn: assert.fail },
    });
    // The Source Control view passes an argument.
    write = (isInView = true) => run(isInView ? {} : undefined);
    watching = watchCommitMessages(conversations, (turnId) => void answered(turnId));
  }
  function closeWindow(): void {
    watching.dispose();
    conversations.dispose();
  }

  beforeEach(() => {
    [told, refusals, sent, preparing] = [[], [], [], Promise.resolve()];
    [inputBox, head] = [{ value: '' }, { commit: 'abc' }];
    const uri = Object.assign(new Uri('/shop/a.txt'), { scheme: 'memfs' });
    // A file would be looked for on the disk.
    const rootUri = Object.assign(new Uri('/shop'), { scheme: 'untitled', with: () => new Uri('/shop/') });
    const repository = {
      rootUri,
      inputBox,
      state: {
        HEAD: head,
        indexChanges: [{ uri, originalUri: uri, renameUri: undefined, status: 0 }],
        workingTreeChanges: [],
        onDidChange: new EventEmitter().event,
      },
      status: async () => undefined,
      log: async () => [],
      diffIndexWithHEAD: async () => '@@ -1 +1 @@\n-one\n+two\n',
    };
    repositories = [repository];
    stateChanged = new EventEmitter();
    api = {
      state: 'initialized',
      onDidChangeState: stateChanged.event,
      repositories,
      getRepository: () => repository,
    };
    const git = { enabled: true, getAPI: () => api };
    extensions.getExtension = () => ({ activate: async () => git, exports: git });
    const cancelling = new EventEmitter<void>();
    const token = { isCancellationRequested: false, onCancellationRequested: cancelling.event };
    cancel = () => {
      token.isCancellationRequested = true;
      cancelling.fire();
    };
    const tell = async (text: string) => void told.push(text);
    Object.assign(window, {
      withProgress: (_: unknown, task: (...about: object[]) => unknown) => task({ report: tell }, token),
      showWarningMessage: tell,
      showInformationMessage: tell,
    });
    openWindow(undefined);
  });
  afterEach(() => {
    Object.assign(window, originals);
    Object.assign(commands, { executeCommand });
    extensions.getExtension = getExtension;
    closeWindow();
  });

  /** The conversation in which it is asked. */
  const aside = () => conversations.list().find(({ title }) => title.startsWith('Commit message'));

  async function running(): Promise<string> {
    await eventually(() => assert.ok(conversations.isRunning(aside()?.id ?? '')));
    return aside()?.id ?? '';
  }

  /** Continues a message, which is complete then. */
  async function askOn(id: string, text: string): Promise<void> {
    const { question, attempts } = conversations.get(id)?.exchanges.at(-1) ?? assert.fail();
    const asked = toContinuingQuestion(question, attempts.at(-1) ?? assert.fail(), 'Continue.');
    assert.ok((await conversations.ask(id, asked)).ok);
    sent.at(-1)?.(completeTurn(text));
  }

  /** Continues the message that was cut off. */
  async function goOn(id: string): Promise<void> {
    await askOn(id, ' bell');
    await eventually(() => assert.equal(inputBox.value, MESSAGE));
  }

  it('is not requested when it is canceled while its question is being prepared', async () => {
    const held = createDeferred<void>();
    preparing = held.promise;
    const writing = write();
    await running();
    cancel();
    held.resolve();
    await writing;
    assert.deepEqual([sent.length, told, aside()], [0, [], undefined]);
  });

  it('is not requested when it is canceled while a key is asked for', async () => {
    refusals.push(refuse({ kind: 'no-key', route: {} as never, why: 'none' }));
    Object.assign(commands, {
      executeCommand: async () => {
        cancel();
        return true;
      },
    });
    await write();
    assert.deepEqual([sent.length, told, aside()], [0, [], undefined]);
  });

  it('is in a view that is shown, without the focus, if the command was not selected there', async () => {
    const shown: unknown[][] = [];
    Object.assign(commands, { executeCommand: async (...command: unknown[]) => void shown.push(command) });
    for (const isInView of [true, false]) {
      const writing = write(isInView);
      await running();
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
    }
    assert.deepEqual(shown, [['workbench.scm.focus', { preserveFocus: true }]]);
  });

  it('leaves nothing to restore when its request is refused', async () => {
    refusals.push(refuse({ kind: 'no-route' }));
    await write();
    assert.deepEqual([sent.length, conversations.listDeleted()], [0, []]);
  });

  it('leaves no conversation, unless the user has written something in it', async () => {
    for (const writes of [false, true]) {
      const writing = write();
      const id = await running();
      if (writes) conversations.enqueue(id, { text: 'Shorter', images: [], origin: undefined });
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
      assert.deepEqual([inputBox.value, conversations.get(id) !== undefined], [MESSAGE, writes]);
    }
  });

  /** A chat shows a conversation, beside the one in front. */
  const show = (...ids: readonly string[]) =>
    conversations.useFront(
      () => 'another',
      () => ({ dispose: () => undefined }),
      () => ['another', ...ids],
    );

  it('leaves its conversation if a chat shows it, in front or beside another one', async () => {
    for (const shown of [true, false]) {
      const writing = write();
      const id = await running();
      show(...(shown ? [id] : []));
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
      assert.equal(conversations.get(id) !== undefined, shown);
    }
  });

  it('is notified of by its command alone, not as an answer that can be shown: its conversation is deleted', async () => {
    const badges: (number | undefined)[] = [];
    const arrivals = watchArrivals({
      conversations,
      isShown: () => false,
      isWindowFocused: () => false,
      setting: () => 'always',
      showBadge: (count) => badges.push(count),
      notify: async (message) => void told.push(message),
      open: assert.fail,
      log: { warn: assert.fail },
    });
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    assert.deepEqual([badges, told.filter((one) => one.includes('svc-k3')).length, told.length], [[], 0, 1]);
    const another = write();
    await eventually(() => assert.equal(sent.length, 2));
    sent.at(-1)?.(completeTurn(MESSAGE));
    await another;
    assert.deepEqual([badges, told.filter((one) => one.includes('svc-k3')).length], [[], 0]);
    const tellings = told.length;
    // What the user asks there is an answer as any other.
    const asked = await conversations.ask(id, { text: 'Shorter', images: [], origin: undefined });
    assert.ok(asked.ok);
    sent.at(-1)?.(completeTurn('Ring'));
    await eventually(() => assert.deepEqual([badges, told.length], [[1], tellings + 1]));
    arrivals.dispose();
  });

  it('leaves the title that the user has given its conversation when Continue gives its rest', async () => {
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    conversations.rename(id, 'The bell');
    await goOn(id);
    assert.equal(conversations.get(id)?.title, 'The bell');
  });

  it('goes into the box of its repository as that is open now, or stays in its conversation', async () => {
    for (const isOpenedAgain of [true, false]) {
      told = [];
      const writing = write();
      const id = await running();
      const [closed] = repositories.splice(0);
      const box = { value: '' };
      if (isOpenedAgain) repositories.push({ ...closed, inputBox: box });
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
      const isKept = conversations.get(id) !== undefined;
      assert.deepEqual([box.value, isKept, told.length], isOpenedAgain ? [MESSAGE, false, 0] : ['', true, 1]);
    }
    assert.match(told.join(), /repository/);
  });

  it('goes there also when Continue gives its rest', async () => {
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    const [closed] = repositories.splice(0);
    repositories.push({ ...closed, inputBox });
    inputBox = { value: '' };
    Object.assign(repositories[0] ?? {}, { inputBox });
    await goOn(id);
    assert.equal(inputBox.value, MESSAGE);
  });

  it('is said to be about changes before another commit when Continue gives its rest after that', async () => {
    for (const commit of ['abc', 'def']) {
      inputBox.value = '';
      const writing = write();
      const id = await running();
      sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
      await writing;
      told = [];
      head.commit = commit;
      await goOn(id);
      assert.equal(/another commit/.test(told.join()), commit === 'def');
      conversations.delete(id);
    }
  });

  describe('whose window was closed', () => {
    let folder: string;
    let id: string;
    beforeEach(async () => {
      folder = await makeFolder();
      closeWindow();
      openWindow(open(folder));
    });
    /** The next window on the same conversations. */
    function reload(): void {
      closeWindow();
      openWindow(open(folder));
      told = [];
    }
    async function cutOff(text = 'Ring the'): Promise<void> {
      const writing = write();
      id = await running();
      sent.at(-1)?.({ ...completeTurn(text), outcome: 'truncated' });
      await writing;
    }

    it('goes into the box when Continue gives its rest in the next one, once', async () => {
      await cutOff();
      reload();
      await askOn(id, ' bell');
      await eventually(() => assert.equal(inputBox.value, MESSAGE));
      assert.deepEqual([conversations.get(id)?.title, told], [`Commit message: ${MESSAGE}`, []]);
      inputBox.value = '';
      reload();
      const again = await conversations.askAgain(conversations.get(id)?.exchanges[0]?.attempts[0]?.id ?? '');
      assert.ok(again.ok);
      sent.at(-1)?.(completeTurn('Ring'));
      await soon();
      assert.equal(inputBox.value, '');
    });

    it('goes there when it is asked for again, because the window was closed while it was written', async () => {
      void write();
      id = await running();
      reload();
      const [turn] = conversations.get(id)?.exchanges[0]?.attempts ?? [];
      assert.equal(turn?.outcome, 'interrupted');
      assert.ok((await conversations.askAgain(turn.id)).ok);
      sent.at(-1)?.(completeTurn(MESSAGE));
      await eventually(() => assert.equal(inputBox.value, MESSAGE));
    });

    it('is said to be about changes before another commit, and replaces nothing that is in the box', async () => {
      await cutOff();
      head.commit = 'def';
      reload();
      inputBox.value = 'Mine';
      await askOn(id, ' bell');
      await soon();
      assert.deepEqual([inputBox.value, told], ['Mine', ['The commit message was not changed.']]);
      inputBox.value = '';
      await cutOff();
      head.commit = 'ghi';
      reload();
      await askOn(id, ' bell');
      await eventually(() => assert.match(told.join(), /another commit/));
    });

    it('goes there also if the Git extension has not looked for repositories and commits yet', async () => {
      await cutOff();
      reload();
      const [repository = assert.fail()] = repositories.splice(0);
      api.state = 'uninitialized';
      await askOn(id, ' bell');
      await soon();
      const { state } = repository as { state: { onDidChange: unknown } };
      const changed = new EventEmitter<void>();
      Object.assign(state, { onDidChange: changed.event });
      Object.assign(repository, {
        async status() {
          head.commit = 'def';
          changed.fire();
        },
      });
      repositories.push(repository);
      api.state = 'initialized';
      stateChanged.fire();
      await eventually(() => assert.equal(inputBox.value, MESSAGE));
      assert.match(told.join(), /another commit/);
    });

    it('stays in its conversation if its repository is not open in the next one', async () => {
      await cutOff();
      reload();
      repositories.splice(0);
      await askOn(id, ' bell');
      await soon();
      assert.deepEqual([inputBox.value, conversations.get(id)?.exchanges.length], ['', 2]);
      assert.deepEqual(told, ['The commit message was not changed. The repository is no longer open.']);
    });

    it('is said to be only in its conversation when it is asked for again after its repository was closed', async () => {
      const writing = write();
      id = await running();
      const closed = repositories.splice(0);
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
      repositories.push(...closed);
      reload();
      const opened: unknown[] = [];
      Object.assign(commands, { executeCommand: async (...command: unknown[]) => void opened.push(command) });
      Object.assign(window, { showInformationMessage: async (_: string, button: string) => button });
      const [turn = assert.fail()] = conversations.get(id)?.exchanges[0]?.attempts ?? [];
      assert.ok((await conversations.askAgain(turn.id)).ok);
      sent.at(-1)?.(completeTurn(MESSAGE));
      await eventually(() => assert.deepEqual(opened, [['_k3.openConversation', id]]));
      assert.equal(inputBox.value, '');
    });
  });

  it('goes into the box also if it was stopped in its chat, and continued', async () => {
    const writing = write();
    const id = await running();
    show(id);
    conversations.stop(id);
    await writing;
    await askOn(id, MESSAGE);
    await eventually(() => assert.equal(inputBox.value, MESSAGE));
  });

  it('goes into the box from a fork of its conversation, too', async () => {
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    await askOn(conversations.fork(id)?.id ?? '', ' bell');
    await eventually(() => assert.equal(inputBox.value, MESSAGE));
  });

  it('goes into the box once when another window continues it', async () => {
    const folder = await makeFolder();
    closeWindow();
    openWindow(open(folder));
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    const [here, watchingHere] = [conversations, watching];
    openWindow(open(folder));
    await goOn(id);
    closeWindow();
    [conversations, watching] = [here, watchingHere];
    inputBox.value = '';
    assert.ok((await here.askAgain(here.get(id)?.exchanges[0]?.attempts[0]?.id ?? '')).ok);
    sent.at(-1)?.(completeTurn('Ring'));
    await soon();
    assert.equal(inputBox.value, '');
  });

  it('is the answer to its edited question, but not to another one, such as for a summary', async () => {
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await writing;
    const summary = {
      text: 'Summarize this.',
      asked: 'Summarize and continue',
      images: [],
      origin: undefined,
    };
    assert.ok((await conversations.ask(id, summary)).ok);
    sent.at(-1)?.(completeTurn('A bell'));
    await soon();
    assert.equal(inputBox.value, '');
    for (const [edit, expected] of [
      ['Write it.', MESSAGE],
      // There is one already, on the other branch.
      ['Once more.', ''],
    ] as const) {
      inputBox.value = '';
      const { question, id: asked = '' } = conversations.get(id)?.exchanges[0] ?? assert.fail();
      assert.ok((await conversations.askInstead(id, asked, toEditedQuestion(question, edit))).ok);
      sent.at(-1)?.(completeTurn(MESSAGE));
      await soon();
      assert.equal(inputBox.value, expected);
    }
  });

  it('is not text before calls that were not run', async () => {
    inputBox.value = 'Mine';
    const writing = write();
    const id = await running();
    const toolCalls = [{ id: 'x', name: 'read_file', args: '' }] as never;
    sent.at(-1)?.({ ...completeTurn('I look first.'), toolCalls });
    await writing;
    assert.deepEqual([inputBox.value, conversations.get(id) !== undefined], ['Mine', true]);
    assert.match(told.join(), /was not changed/);
  });

  it('leaves a conversation that the user has pinned or given a title while it was written', async () => {
    for (const keep of [
      (id: string) => conversations.pin(id, true),
      (id: string) => conversations.rename(id, 'The bell'),
    ]) {
      const writing = write();
      const id = await running();
      keep(id);
      sent.at(-1)?.(completeTurn(MESSAGE));
      await writing;
      assert.ok(conversations.get(id));
      conversations.delete(id);
    }
  });

  it('can be restored with its conversation when the user has deleted that, not when it was deleted with the message', async () => {
    const folder = await makeFolder();
    closeWindow();
    openWindow(open(folder));
    for (const [outcome, isRestorable] of [
      ['complete', false],
      ['truncated', true],
    ] as const) {
      const writing = write();
      const id = await running();
      sent.at(-1)?.({ ...completeTurn(MESSAGE), outcome });
      await writing;
      conversations.delete(id);
      closeWindow();
      openWindow(open(folder));
      const [deleted] = conversations.listDeleted();
      assert.deepEqual([deleted?.id, deleted?.named], [id, isRestorable]);
    }
  });

  it('says that its conversation was deleted when that is to be opened', async () => {
    const commandsRun: unknown[][] = [];
    Object.assign(commands, {
      executeCommand: async (...command: unknown[]) => void commandsRun.push(command),
    });
    const closed = createDeferred<void>();
    Object.assign(window, {
      async showWarningMessage(_: string, ...buttons: readonly string[]) {
        await closed.promise;
        return buttons.find((button) => button === 'Open Conversation');
      },
    });
    const writing = write();
    const id = await running();
    sent.at(-1)?.({ ...completeTurn('Ring the'), outcome: 'truncated' });
    await eventually(() => assert.ok(!conversations.isRunning(id)));
    conversations.delete(id);
    closed.resolve();
    await writing;
    assert.deepEqual(commandsRun, [['_k3.openConversation', id]]);
  });

  /** A message whose request is older than the commit of the repository, if that can be known. */
  function put(status: () => Promise<void>, commit: string): Promise<unknown> {
    const repository = {
      inputBox,
      state: { HEAD: { commit: 'abc' }, onDidChange: new EventEmitter().event },
      status,
    };
    const write = (_: unknown, message: string) => {
      inputBox.value = message;
    };
    const asked = { turn: completeTurn(), leftOut: [] };
    return putMessage({ put: write }, repository as never, MESSAGE, commit, asked);
  }

  it('is put into the input box also when Git can’t say whether there is another commit', async () => {
    await put(async () => Promise.reject(new Error('Failed to execute git')), 'abc');
    assert.equal(inputBox.value, MESSAGE);
  });

  it('is taken out again by Undo, except when it was changed since', async () => {
    for (const [now, expected] of [
      [MESSAGE, 'Mine'],
      [`${MESSAGE} twice`, `${MESSAGE} twice`],
    ] as const) {
      inputBox.value = 'Mine';
      Object.assign(window, {
        async showInformationMessage(_: string, ...buttons: readonly string[]) {
          inputBox.value = now;
          return buttons.find((button) => button === 'Undo');
        },
      });
      await put(async () => undefined, 'earlier');
      assert.equal(inputBox.value, expected);
    }
  });
});
