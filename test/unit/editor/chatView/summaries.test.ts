import assert from 'node:assert/strict';
import { setImmediate as soon } from 'node:timers/promises';
import { afterEach, beforeEach, describe, it } from 'mocha';
import { toContinuingQuestion, toEditedQuestion } from '../../../../src/conversation/continuingQuestion.ts';
import type { Conversation, Exchange } from '../../../../src/conversation/conversation.ts';
import type { Outcome, Turn } from '../../../../src/conversation/turn.ts';
import { type Choices, NOTHING_CHOSEN } from '../../../../src/conversation/unsent.ts';
import type { Conversations } from '../../../../src/editor/conversations/conversationList.ts';
import type { History } from '../../../../src/history/history.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import { answeredTurn } from '../../../support/answeredTurn.ts';
import { commands, EventEmitter, window } from '../../../support/editorStub.ts';
import { restoreAfterEach } from '../../../support/restoredStubs.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { completeTurn } from '../../conversation/turns.ts';
import { conversation, exchange, makeFolder, open, storeOn } from '../../history/support.ts';

const { createConversations, createSummaries } = await withEditorStub(async () => ({
  ...(await import('../../../../src/editor/chatView/summaries.ts')),
  ...(await import('../../../../src/editor/conversations/conversationList.ts')),
}));

const TITLE = 'Summarize and continue';

describe('The conversation that begins with a summary', () => {
  restoreAfterEach(commands, window);

  const one = exchange('e1', 'Summarize', [{ ...completeTurn('All.'), id: 't1' }]);
  const asked = conversation('asked', [{ ...one, question: { ...one.question, asked: TITLE } }]);
  const fresh = conversation('fresh', []);
  const other = conversation('other', []);

  /** What happens when a summary has arrived while the side bar, and the chat in front, show conversations. */
  async function begin(current: Conversation, front: Conversation = current) {
    const happened: unknown[] = [];
    const composed: string[] = [];
    const changes = new EventEmitter<object>();
    Object.assign(commands, { executeCommand: async (...command: unknown[]) => void happened.push(command) });
    Object.assign(window, {
      async showInformationMessage(text: string, button: string) {
        happened.push(text);
        return button;
      },
    });
    const [one = assert.fail()] = asked.exchanges;
    const [turn = assert.fail()] = one.attempts;
    let side = current;
    const summaries = createSummaries({
      conversations: {
        ask: async () => ({ ok: true as const, turnId: turn.id }),
        create() {
          happened.push('opened in the side bar');
          side = fresh;
          return fresh;
        },
        unused: () => fresh,
        current: () => side,
        find: () => ({ conversation: asked, exchange: one, turn }),
        front: () => (front === current ? side : front),
        isShown: (id) => id === front.id,
        choices: () => NOTHING_CHOSEN,
        putUnsent: assert.fail,
        onDidChange: changes.event as never,
      },
      composers: { compose: (id) => void composed.push(id) },
      log: { warn: assert.fail },
    });
    await summaries.ask(asked.id, () => assert.fail());
    changes.fire({ type: 'turn', conversationId: asked.id, turn });
    await soon();
    assert.deepEqual(composed, [fresh.id]);
    summaries.dispose();
    return happened;
  }

  const OFFERED = ['The summary is in a new conversation.', ['k3.focusChat', fresh.id]];

  it('is opened in the side bar if the one before is there', async () => {
    assert.deepEqual(await begin(asked), ['opened in the side bar']);
  });

  it('is offered if the user has the one before in a tab, whose box the user may be writing in: the side bar may be closed', async () => {
    assert.deepEqual(await begin(other, asked), OFFERED);
    assert.deepEqual(await begin(asked, { ...asked }), ['opened in the side bar', ...OFFERED]);
  });

  it('is offered if another one is there by now, in whose box the user may be writing', async () => {
    assert.deepEqual(await begin(other), OFFERED);
    assert.deepEqual(await begin(fresh), []);
  });
});

describe('A summary', () => {
  restoreAfterEach(commands, window);

  let conversations: Conversations;
  let summaries: ReturnType<typeof createSummaries>;
  let composed: [id: string, text: string][];
  let told: string[];
  /** Ends the request that was sent last. */
  let end: (turn: Turn) => void;

  let sent: number;
  const closing: (() => void)[] = [];
  /** The conversation in which it is asked for. */
  let id: string;

  /** Opens a window, in which everything is asked from then on. */
  function openWindow(history?: History): void {
    conversations = createConversations({
      turns: {
        prepare: async <Content extends TurnContent>() =>
          answeredTurn<Content>(`turn ${sent++}`, ({ begin, end: endTurn }) => {
            end = endTurn;
            begin();
          }),
      },
      log: { warn: assert.fail } as never,
      store: storeOn(history),
      untitled: 'Untitled',
      workspace: undefined,
      lastConversation: { get: () => undefined, set: () => undefined },
    });
    summaries = createSummaries({
      conversations,
      composers: { compose: (...about) => void composed.push(about) },
      log: { warn: assert.fail },
    });
    closing.push(summaries.dispose, conversations.dispose);
  }

  beforeEach(() => {
    [composed, told, sent] = [[], [], 0];
    openWindow();
    const tell = async (text: string) => void told.push(text);
    Object.assign(window, { showWarningMessage: tell, showInformationMessage: tell });
  });
  afterEach(() => {
    for (const close of closing.splice(0)) close();
  });

  const exchanges = (): readonly Exchange[] => conversations.get(id)?.exchanges ?? [];

  /** Asks for one in a conversation for which something is chosen. */
  async function ask(chosen: Choices = NOTHING_CHOSEN): Promise<void> {
    ({ id } = conversations.create());
    conversations.putUnsent(id, chosen);
    await summaries.ask(id, () => assert.fail());
  }
  /** Its answer ends. */
  async function answer(text: string, more: Partial<Turn> = {}): Promise<void> {
    end({ ...completeTurn(text), ...more });
    await soon();
  }
  async function again(exchangeAt: number): Promise<void> {
    assert.ok((await conversations.askAgain(exchanges()[exchangeAt]?.attempts.at(-1)?.id ?? '')).ok);
  }
  async function goOn(): Promise<void> {
    const { question, attempts } = exchanges().at(-1) ?? assert.fail();
    const next = toContinuingQuestion(question, attempts.at(-1) ?? assert.fail(), 'Continue.');
    assert.ok((await conversations.ask(id, next)).ok);
  }
  const cutOff = { outcome: 'truncated' as Outcome };

  it('begins a conversation when the model has answered, not when it has called tools until the last round', async () => {
    const calls = { rounds: [{ toolCalls: [] } as never], tries: 0, outcome: 'complete' as Outcome };
    await ask();
    await answer('', calls);
    assert.deepEqual(composed, []);
    await goOn();
    await answer('All.');
    assert.equal(composed.length, 1);
    assert.match(composed[0]?.[1] ?? '', /All\./);
  });

  it('begins none with text before calls that were not run', async () => {
    await ask();
    await answer('I look first.', { toolCalls: [{ id: 'x', name: 'read', args: '' }] as never });
    assert.deepEqual(composed, []);
    await again(0);
    await answer('All.');
    assert.equal(composed.length, 1);
  });

  it('begins none with the rest alone of one of which another attempt is shown', async () => {
    await ask();
    await answer('One, ', cutOff);
    await goOn();
    await answer('two, ', cutOff);
    await again(0);
    await answer('1, ', cutOff);
    await again(1);
    await answer('two.');
    assert.deepEqual(composed, []);
  });

  it('is offered, and leaves the one before in the side bar, if that has a card about a problem of it', async () => {
    for (const [damagedEvents, isLeft] of [
      [0, false],
      [1, true],
    ] as const) {
      await ask();
      await answer('All.', { damagedEvents });
      assert.equal(conversations.current().id === id, isLeft);
    }
    assert.deepEqual([composed.length, told], [2, ['The summary is in a new conversation.']]);
  });

  it('begins with the title of the conversation, also in one that begins with a summary itself', async () => {
    for (const title of ['Herons', 'h'.repeat(60), '/plan · herons']) {
      ({ id } = conversations.create());
      conversations.rename(id, title);
      const summarize = async () => {
        await summaries.ask(id, () => assert.fail());
        await answer('All.');
        return composed.at(-1) ?? ['', ''];
      };
      const [begun, text] = await summarize();
      assert.equal(text, `Summary: ${title}\n\nAll.\n\n`);
      assert.equal(
        conversations.list().some((one) => one.id === begun),
        false,
        'nothing was asked in it',
      );
      id = begun;
      await conversations.ask(begun, { text, images: [], origin: undefined });
      await answer('I see.');
      assert.match((await summarize())[1], /^Summary: (?!Summary)/);
    }
  });

  it('begins a conversation with the preset of the one before, and without the instructions that were left out there', async () => {
    const chosen = { preset: 'Ask', leavesOut: true } as const;
    await ask(chosen);
    await answer('All.');
    const [begun = ''] = composed[0] ?? [];
    assert.notEqual(begun, id);
    assert.deepEqual([conversations.choices(begun), conversations.choices(id)], [chosen, chosen]);
  });

  it('begins one beside an empty one for which the user has chosen something, or which a chat shows', async () => {
    const chosen = { preset: 'Ask', leavesOut: true } as const;
    await ask();
    const { id: other } = conversations.unused();
    conversations.putUnsent(other, chosen);
    await answer('All.');
    assert.notEqual(composed[0]?.[0], other);
    assert.deepEqual(conversations.choices(other), chosen);
    await ask({ preset: 'Plan', leavesOut: undefined });
    const { id: shown } = conversations.unused();
    conversations.putUnsent(shown, NOTHING_CHOSEN);
    conversations.useFront(
      () => id,
      () => ({ dispose: () => undefined }),
      () => [id, shown],
    );
    await answer('All.');
    assert.notEqual(composed[1]?.[0], shown);
    assert.deepEqual(conversations.choices(shown), NOTHING_CHOSEN);
  });

  it('is asked for with the tools and the effort of the preset that is chosen, without its instruction', async () => {
    await ask({ preset: 'Plan', leavesOut: undefined });
    const { preset } = exchanges()[0]?.question ?? {};
    assert.deepEqual([preset?.name, preset?.effort, preset?.prompt], ['Plan', 'max', undefined]);
    assert.ok(preset?.tools?.includes('read_file') && !preset.tools.includes('propose_edit'));
  });

  it('is not asked for with a preset that is gone, which is said', async () => {
    await ask({ preset: 'Terse', leavesOut: undefined });
    assert.deepEqual(exchanges(), []);
    assert.match(told.join(), /k3\.presets has no preset “Terse”/);
  });

  it('begins a conversation when it was stopped, or deleted and restored, and is continued then', async () => {
    for (const interrupt of [
      () => conversations.stop(id),
      () => {
        conversations.delete(id);
        conversations.restore(id);
      },
    ]) {
      composed = [];
      await ask();
      interrupt();
      await soon();
      assert.deepEqual([exchanges()[0]?.attempts[0]?.outcome, composed], ['stopped', []]);
      await goOn();
      await answer('All.');
      assert.equal(composed.length, 1);
    }
  });

  it('begins a conversation from a fork, too, and none from the answer to its edited question', async () => {
    await ask();
    await answer('One, ', cutOff);
    const { question, id: asked = '' } = exchanges()[0] ?? assert.fail();
    assert.ok((await conversations.askInstead(id, asked, toEditedQuestion(question, 'In one word.'))).ok);
    await answer('Numbers.');
    assert.deepEqual(composed, []);
    // It is still one on its branch.
    assert.ok(conversations.showBranch(id, asked));
    const original = id;
    id = conversations.fork(id)?.id ?? '';
    for (const one of [id, original]) {
      id = one;
      composed = [];
      await goOn();
      await answer('two.');
      assert.match(composed.join(), /One, two\./);
    }
  });

  it('begins one conversation when another window continues it', async () => {
    const folder = await makeFolder();
    openWindow(open(folder));
    const here = { conversations, summaries };
    await ask();
    await answer('One, ', cutOff);
    openWindow(open(folder));
    await goOn();
    await answer('two.');
    assert.equal(composed.length, 1);
    ({ conversations, summaries } = here);
    await again(0);
    await answer('One, two.');
    assert.equal(composed.length, 1);
  });
});
