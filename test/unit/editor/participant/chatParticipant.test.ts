import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { CancellationToken } from 'vscode';
import { createTurn } from '../../../../src/conversation/fold.ts';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { ChatParticipantDeps } from '../../../../src/editor/participant/chatParticipant.ts';
import { PARTICIPANT } from '../../../../src/editor/participant/participantId.ts';
import { refuse } from '../../../../src/requests/refusal.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import type { PreparedTurn } from '../../../../src/requests/turns.ts';
import {
  ChatRequestTurn,
  ChatResponseMarkdownPart,
  ChatResponseTurn,
  Uri,
  window,
} from '../../../support/editorStub.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn, FACTS } from '../../conversation/turns.ts';
import { makeFolder, open, storeOn } from '../../history/support.ts';

const [{ createRequestHandler }, { createConversations }, { createAllowedReads }] = await withEditorStub(() =>
  Promise.all([
    import('../../../../src/editor/participant/chatParticipant.ts'),
    import('../../../../src/editor/conversations/conversationList.ts'),
    import('../../../../src/editor/workspace/allowedReads.ts'),
  ]),
);

const NEVER: CancellationToken = {
  isCancellationRequested: false,
  onCancellationRequested: () => ({ dispose: () => undefined }),
};
const STREAM = { markdown: () => undefined, progress: () => undefined, button: () => undefined };

/** The conversations of a window whose requests are refused, or answered at once. */
function createWindow(store: ReturnType<typeof storeOn>, refuses: () => boolean): Conversations {
  return createConversations({
    turns: {
      async prepare<Content extends TurnContent>() {
        if (refuses()) return refuse({ kind: 'no-route' });
        const begun = createTurn('t1', 0, FACTS);
        return {
          ok: true,
          initialTurn: begun,
          async run({ onStep }) {
            const turn = { ...completeTurn(), id: begun.id };
            onStep({ before: begun, turn, appended: undefined });
            return turn;
          },
          discard: () => undefined,
        } as Partial<PreparedTurn<Content>> as PreparedTurn<Content>;
      },
    },
    log: {} as never,
    store,
    untitled: 'Untitled',
    workspace: undefined,
    lastConversation: { get: () => undefined, set: () => undefined },
  });
}

describe('A first request to @k3 that is refused', () => {
  let refuses: boolean;
  let windows: Conversations[];
  /** What is typed in the input of the prompt, and what was in it before. */
  let typing: string;
  let before: string | undefined;
  beforeEach(() => {
    [refuses, windows, typing, before] = [true, [], '', undefined];
  });
  afterEach(() => {
    for (const window of windows) window.dispose();
  });

  function start(store: ReturnType<typeof storeOn>) {
    const conversations = createWindow(store, () => refuses);
    windows.push(conversations);
    const expand: ChatParticipantDeps['prompts']['expand'] = async (asked, _, about) => {
      if (!asked.startsWith('/')) return { kind: 'plain' };
      before = about?.typed?.get('input');
      about?.typed?.set('input', typing);
      return { kind: 'prompt', asked: { text: 'Tidy.', asked }, references: [] };
    };
    const handle = createRequestHandler({
      conversations,
      prompts: { expand },
      attaching: { read: async () => ({ context: [], problems: [] }) },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: { chosen: () => [] },
    });
    const ask = async (prompt: string, history: object[] = []) => {
      const result = await handle({ prompt, references: [] }, { history } as never, STREAM, NEVER);
      const asked = Object.assign(new ChatRequestTurn(), { prompt, participant: PARTICIPANT });
      history.push(asked, Object.assign(new ChatResponseTurn(), { response: [], result }));
      return result.errorDetails === undefined ? 'answered' : 'refused';
    };
    return { conversations, ask };
  }

  it('leaves nothing to restore', async () => {
    for (const store of [storeOn(undefined), storeOn(open(await makeFolder()))]) {
      const { conversations, ask } = start(store);
      assert.equal(await ask('Why?'), 'refused');
      assert.deepEqual(conversations.listDeleted(), []);
    }
  });

  it('has in the inputs of its prompt what was typed there before, until it is sent', async () => {
    const { ask } = start(storeOn(undefined));
    typing = 'Names';
    assert.deepEqual([await ask('/tidy'), before], ['refused', undefined]);
    refuses = false;
    assert.deepEqual([await ask('/tidy'), before], ['answered', 'Names']);
    await ask('/tidy');
    assert.equal(before, undefined);
  });

  it('has nothing of what was typed in another chat that has no conversation yet, which keeps it', async () => {
    const { ask } = start(storeOn(undefined));
    const [one, other] = [[], []];
    typing = 'Names';
    await ask('/tidy it', one);
    typing = 'Types';
    await ask('/tidy that', other);
    assert.equal(before, undefined);
    refuses = false;
    await ask('/tidy', other);
    assert.equal(before, 'Types');
    await ask('/tidy', one);
    assert.equal(before, 'Names');
  });

  it('still has it when a request of another chat was sent, and so has a later request', async () => {
    const { ask } = start(storeOn(undefined));
    refuses = false;
    const [one, other] = [[], []];
    assert.deepEqual([await ask('One?', one), await ask('Two?', other)], ['answered', 'answered']);
    [refuses, typing] = [true, 'Names'];
    await ask('/tidy');
    typing = 'Types';
    await ask('/tidy', one);
    assert.equal(before, undefined);
    refuses = false;
    await ask('Three?', other);
    await ask('/tidy', one);
    assert.equal(before, 'Types');
    await ask('/tidy');
    assert.equal(before, 'Names');
  });
});

describe('First requests to @k3 that are stopped', () => {
  it('leave nothing behind, and aren’t waited for, while a file of theirs is on a drive that doesn’t answer', async () => {
    const conversations = createWindow(storeOn(undefined), () => false);
    const handle = createRequestHandler({
      conversations,
      prompts: {
        expand: async (asked) => ({ kind: 'prompt', asked: { text: asked, asked }, references: [] }),
      },
      attaching: { read: () => new Promise(() => undefined) },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: { chosen: () => [] },
    });
    let cancel = (): void => assert.fail('nobody listens');
    const token = {
      isCancellationRequested: false,
      onCancellationRequested(listener: (event: unknown) => unknown) {
        cancel = () => {
          token.isCancellationRequested = true;
          listener(undefined);
        };
        return { dispose: () => undefined };
      },
    };
    const ended = handle({ prompt: 'Why?', references: [] }, { history: [] }, STREAM, token);
    await new Promise(setImmediate);
    cancel();
    const waited = new Promise((done) => setTimeout(done, 500, 'waited'));
    assert.notEqual(await Promise.race([ended, waited]), 'waited');
    assert.deepEqual([conversations.list(), conversations.listDeleted()], [[], []]);
    conversations.dispose();
  });

  it('ask nothing more, and close the input that is open', async () => {
    const { showWarningMessage } = window;
    const said: string[] = [];
    Object.assign(window, { showWarningMessage: async (text: string) => void said.push(text) });
    const conversations = createWindow(storeOn(undefined), () => false);
    const tokens: unknown[] = [];
    const handle = createRequestHandler({
      conversations,
      prompts: {
        async expand(_, __, about) {
          tokens.push(about?.token);
          return { kind: 'plain' };
        },
      },
      attaching: { read: () => assert.fail('no prompt is named') },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: { chosen: () => [] },
    });
    const value: Uri = Object.assign(new Uri('/outside/a.ts'), {
      ...{ scheme: 'vscode-vfs', authority: '' },
      with: () => value,
    });
    const ask = async (token: CancellationToken) => {
      const references = [{ id: 'a', value }];
      await handle({ prompt: 'Why?', references }, { history: [] }, STREAM, token);
      // What was begun goes on for a moment.
      await new Promise((done) => setTimeout(done, 50));
      return [said.splice(0), tokens.splice(0)];
    };
    assert.deepEqual(await ask(NEVER), [['Allow svc-k3 to read a.ts?'], [NEVER]]);
    const canceled = { ...NEVER, isCancellationRequested: true };
    assert.deepEqual(await ask(canceled), [[], [canceled]]);
    Object.assign(window, { showWarningMessage });
    conversations.dispose();
  });

  it('ask about none of the files of a prompt that are found out later', async () => {
    const conversations = createWindow(storeOn(undefined), () => false);
    const signals: (AbortSignal | undefined)[] = [];
    const handle = createRequestHandler({
      conversations,
      prompts: {
        expand: async () => ({ kind: 'prompt', asked: { text: 'Why?' }, references: [], hints: [] }) as never,
      },
      attaching: {
        async read(_, __, signal) {
          signals.push(signal);
          return { context: [], problems: [] };
        },
      },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: { chosen: () => [] },
    });
    for (const isCancellationRequested of [false, true])
      await handle({ prompt: '/why', references: [] }, { history: [] }, STREAM, {
        ...NEVER,
        isCancellationRequested,
      });
    assert.deepEqual(
      signals.map((signal) => signal?.aborted),
      [false, true],
    );
    conversations.dispose();
  });

  it('are looked through for where a chat goes on, the last 100', async () => {
    const conversations = createWindow(storeOn(undefined), () => false);
    let looks = 0;
    const handle = createRequestHandler({
      conversations: {
        ...conversations,
        get(id) {
          looks++;
          return conversations.get(id);
        },
      },
      prompts: { expand: async () => ({ kind: 'plain' }) },
      attaching: { read: async () => ({ context: [], problems: [] }) },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: { chosen: () => [] },
    });
    const ask = async (token: CancellationToken) => {
      looks = 0;
      await handle({ prompt: 'Why?', references: [] }, { history: [] }, STREAM, token);
      return looks;
    };
    const once = await ask(NEVER);
    let listeners = 0;
    const stop: CancellationToken = {
      isCancellationRequested: false,
      onCancellationRequested(listener: (event: unknown) => unknown) {
        // What makes the question and what sends it listen before what shows its turn.
        if (++listeners % 3 === 0) listener(undefined);
        return { dispose: () => undefined };
      },
    };
    for (let count = 0; count < 120; count++) await ask(stop);
    const more = (await ask(NEVER)) - once;
    conversations.dispose();
    assert.equal(more, 100);
  });
});

describe('A chat of the editor that asks @k3', () => {
  let conversations: Conversations;
  let isLocked: boolean;
  let refuses: boolean;
  /** What could not be read for the next request. */
  let problems: readonly string[];
  let shown: string;
  let steps: string[];
  /** The requests so far, with their responses. */
  let history: object[];
  beforeEach(() => {
    [isLocked, refuses, problems, history] = [false, false, [], []];
    [chosen, named, left] = [[], [], undefined];
    conversations = createWindow(storeOn(undefined), () => refuses);
  });
  afterEach(() => conversations.dispose());

  /** The tools of other extensions that are chosen in K3, and those that the request names. */
  let chosen: readonly string[];
  let named: readonly string[];

  /** What the prompt file of a request leaves of the tools. */
  let left: readonly string[] | undefined;

  async function ask(prompt: string) {
    [shown, steps] = ['', []];
    const handle = createRequestHandler({
      // As while another window has the database for itself.
      conversations: {
        ...conversations,
        get: (id) => (isLocked ? undefined : conversations.get(id)),
        isUnread: () => isLocked,
      },
      prompts: {
        expand: async (asked) => ({
          kind: 'prompt',
          asked: { text: asked, asked, ...(left && { tools: left }) },
          references: [],
        }),
      },
      attaching: { read: async () => ({ context: [], problems }) },
      instructions: { due: async () => [] },
      lastEditor: { get: () => undefined },
      reads: createAllowedReads(),
      tools: {
        chosen: () =>
          chosen.map((editorName) => ({
            name: `ext_${editorName}`,
            kind: { installed: { editorName } },
          })) as never,
      },
    });
    const stream = {
      ...STREAM,
      markdown: (text: unknown) => {
        shown += String(text);
      },
      progress: (step: string) => void steps.push(step),
    };
    const toolReferences = named.map((name) => ({ name }));
    const request = { prompt, references: [], toolReferences };
    const result = await handle(request, { history } as never, stream, NEVER);
    const asked = Object.assign(new ChatRequestTurn(), { prompt, participant: PARTICIPANT });
    const part = Object.assign(new ChatResponseMarkdownPart(), { value: { value: shown } });
    history.push(asked, Object.assign(new ChatResponseTurn(), { response: [part], result }));
    return result;
  }
  const idOf = ({ metadata }: Awaited<ReturnType<typeof ask>>): unknown => metadata?.['conversationId'];

  it('sends nothing while its conversation can’t be read, and goes on with it later', async () => {
    const id = idOf(await ask('One?'));
    isLocked = true;
    const refused = await ask('Two?');
    assert.match(refused.errorDetails?.message ?? '', /can’t be read now/);
    assert.equal(conversations.list().length, 1);
    isLocked = false;
    assert.equal(idOf(await ask('Two?')), id);
    assert.equal(conversations.get(String(id))?.exchanges.length, 2);
  });

  it('is told that its conversation was deleted when it begins another one, without what was said', async () => {
    const id = idOf(await ask('One?'));
    conversations.delete(String(id));
    const next = idOf(await ask('Two?'));
    assert.notEqual(next, id);
    assert.match(shown, /\n\n> This conversation no longer exists\.$/);
    assert.equal(idOf(await ask('Three?')), next);
    assert.doesNotMatch(shown, /no longer exists/);
  });

  it('has what was not sent below the answer, because the editor hides the steps before it', async () => {
    problems = ['a_b/__init__.py couldn’t be read and wasn’t sent.'];
    await ask('One?');
    const told = 'a_b/\\_\\_init\\_\\_.py couldn’t be read and wasn’t sent.';
    assert.ok(shown.endsWith(`\n\n> ${told}`), shown);
    assert.ok(steps.includes(told), steps.join());
    refuses = true;
    await ask('Two?');
    assert.equal(shown, '');
  });

  it('is told of a tool named with # that is not chosen in K3, and so isn’t offered', async () => {
    [chosen, named] = [['fetch'], ['fetch', 'my_lint', 'my_lint']];
    await ask('Look at #fetch and #my_lint.');
    assert.deepEqual(shown.match(/^> .*/gm), [
      '> The tool my_lint wasn’t offered. Run “K3: Choose Tools…” to select it.',
    ]);
  });

  it('is told of a tool named with # that the preset or the prompt file leaves out, and so doesn’t run', async () => {
    [chosen, named, left] = [['fetch', 'my_lint'], ['fetch', 'my_lint'], ['ext_my*']];
    await ask('Look at #fetch and #my_lint.');
    assert.deepEqual(shown.match(/^> .*/gm), [
      '> The tool fetch can’t run: the preset or the prompt file leaves it out.',
    ]);
  });
});
