import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { ContextItem } from '../../../src/conversation/context/context.ts';
import { createTurn } from '../../../src/conversation/fold.ts';
import type { QueuedQuestion } from '../../../src/conversation/queue.ts';
import { NOTHING_UNSENT } from '../../../src/conversation/unsent.ts';
import { createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { createIntents, type Intents } from '../../../src/editor/chatView/intents.ts';
import type { Composer } from '../../../src/editor/composer/composerState.ts';
import { type Composers, createComposers } from '../../../src/editor/composer/composers.ts';
import { toAttached } from '../../../src/editor/context/attachments.ts';
import type { ConversationChange } from '../../../src/editor/conversations/conversationChange.ts';
import type { Conversations } from '../../../src/editor/conversations/conversationList.ts';
import type { AskResult } from '../../../src/editor/conversations/turnStart.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { FACTS } from '../../unit/conversation/turns.ts';
import { ended, type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { QUIET } from './window.ts';

const ID = 'conversation';
const REASON = 'the certificate file is gone';
const REFUSAL = `Couldn’t create the request: ${REASON}`;
const IMAGE = { name: 'a.png', url: 'data:image/png;base64,AA==', thumbnail: 'data:image/png;base64,AA==' };
const CONTEXT: ContextItem = { kind: 'file', label: 'a.ts', parts: [] };

const fails = (): Promise<never> => Promise.reject(new Error(REASON));
const nothing = (): Promise<void> => Promise.resolve();

describe('A message that fails before its request is sent', () => {
  let scripted: Scripted;
  let changes: vscode.EventEmitter<ConversationChange>;
  let composers: Composers;
  let composer: Composer;
  let intents: Intents;
  let asked: string[];
  let warnings: string[];
  let running: boolean;
  let queue: readonly QueuedQuestion[];
  let ask: () => Promise<AskResult>;
  let newest: () => Promise<readonly []>;
  let ready: () => Promise<void>;

  beforeEach(async () => {
    scripted = await startScripted();
    changes = new vscode.EventEmitter();
    asked = [];
    warnings = [];
    running = false;
    queue = [];
    ask = async () => ({ ok: true, turnId: 'turn' });
    newest = async () => [];
    ready = nothing;
    const conversations: Conversations = {
      ...scripted.conversations,
      onDidChange: changes.event,
      isRunning: () => running,
      draft: () => '',
      putDraft: () => undefined,
      get: (id) => scripted.conversations.get(id === ID ? scripted.conversations.current().id : id),
      unsent: () => NOTHING_UNSENT,
      choices: () => NOTHING_UNSENT,
      putUnsent: () => undefined,
      queue: () => queue,
      enqueue(_, question) {
        queue = [...queue, { id: `id of ${question.text}`, question }];
      },
      ask(_, { text }) {
        asked.push(text);
        return ask();
      },
      askQueued(_, { question }) {
        asked.push(question.text);
        return ask();
      },
      askInstead: () => ask(),
      dispose: () => undefined,
    };
    composers = createComposers(conversations, { get: () => undefined, set: () => undefined });
    composer = composers.of(ID);
    intents = createIntents({
      ...QUIET,
      routes: { active: () => undefined },
      probes: { lackOf: () => undefined, works: () => false },
      conversations,
      composers,
      images: {
        ...QUIET.images,
        async ready(_, text) {
          await ready();
          return { text, images: composer.attachments, attached: composer.attachments };
        },
      },
      attaching: {
        ...QUIET.attaching,
        collect: async () => composer.context.map((from) => ({ from, newest: from.item })),
        refreshAll: () => newest(),
      },
      log: { warn: (text) => warnings.push(text) },
    });
  });
  afterEach(async () => {
    intents.dispose();
    composers.dispose();
    changes.dispose();
    await scripted.close();
  });

  const send = (text: string) => {
    // As the panel does.
    composer.draft = text;
    return intents.receive({ type: 'send', text }, ID, composer);
  };

  function completeTurn(): void {
    const before = createTurn('turn', 0, FACTS);
    const turn = { ...before, outcome: 'complete', phase: 'ended' } as const;
    changes.fire({
      type: 'turn',
      conversationId: ID,
      exchangeId: 'exchange',
      before,
      turn,
      appended: undefined,
    });
  }

  it('stays in the composer with its attachments, and the composer shows the reason', async () => {
    ask = fails;
    composer.attachments = [IMAGE];
    composer.context = [toAttached(CONTEXT)];
    assert.deepEqual(await send('Why?'), {});
    assert.equal(composer.draft, 'Why?');
    assert.deepEqual(composer.attachments, [IMAGE]);
    assert.equal(composer.context.length, 1);
    assert.equal(composer.refusal, REFUSAL);
    assert.equal(warnings.length, 1);
    assert.match(warnings[0] ?? '', /sending a message failed: .*certificate/);
  });

  it('stays in the composer when its images cannot be prepared', async () => {
    ready = fails;
    assert.deepEqual(await send('What is this?'), {});
    assert.deepEqual(asked, []);
    assert.equal(composer.draft, 'What is this?');
    assert.equal(composer.refusal, REFUSAL);
  });

  it('leaves the composer when it is sent again and succeeds', async () => {
    ask = fails;
    await send('Why?');
    ask = async () => ({ ok: true, turnId: 'turn' });
    assert.deepEqual(await send('Why?'), { taken: true });
    assert.deepEqual(asked, ['Why?', 'Why?']);
    assert.equal(composer.draft, '');
    assert.equal(composer.refusal, undefined);
  });

  it('stays first in the queue when it was queued', async () => {
    running = true;
    await send('One');
    await send('Two');
    running = false;
    ask = fails;
    completeTurn();
    await until(() => composer.refusal !== undefined);
    assert.deepEqual(asked, ['One']);
    assert.deepEqual(
      composer.queue.map(({ question }) => question.text),
      ['One', 'Two'],
    );
    assert.equal(composer.refusal, REFUSAL);
    assert.equal(warnings.length, 1);
  });

  it('stays first in the queue when its context cannot be read', async () => {
    running = true;
    await send('One');
    running = false;
    newest = fails;
    let updates = 0;
    const listening = composers.onDidChange(() => updates++);
    completeTurn();
    await until(() => composer.refusal !== undefined);
    listening.dispose();
    assert.deepEqual(asked, []);
    assert.deepEqual(
      composer.queue.map(({ question }) => question.text),
      ['One'],
    );
    assert.equal(updates, 1);
  });

  it('that the content filter stopped is edited in its place with a button of the card', async () => {
    scripted.will(streamOf([{ answer: 'One', finish: 'content_filter' }]));
    await scripted.ask('One?');
    const [exchange] = scripted.conversations.current().exchanges;
    const turnId = exchange?.attempts[0]?.id;
    assert.equal(exchange?.attempts[0]?.outcome, 'filtered');
    const action = { type: 'action', action: 'edit-question', turnId } as const;
    assert.deepEqual(await intents.receive(action, ID, composer), {
      edit: { exchangeId: exchange.id, text: 'One?' },
    });
    const gone = await intents.receive({ ...action, turnId: 'gone' }, ID, composer);
    assert.deepEqual([gone, asked], [{}, []]);
  });

  it('returns to the place where it was edited when it is an edited question', async () => {
    const { id } = scripted.conversations.current();
    scripted.will((response) => {
      response.writeHead(401).end('{}');
    });
    await scripted.ask('One?');
    const [exchange] = scripted.conversations.current().exchanges;
    assert.ok(exchange);
    ask = fails;
    const reply = await intents.receive(
      { type: 'edit', exchangeId: exchange.id, text: 'Two?' },
      id,
      composer,
    );
    assert.deepEqual(reply, { edit: { exchangeId: exchange.id, text: 'Two?' }, isReturned: true });
    assert.match(warnings[0] ?? '', /certificate/);
  });
});

describe('Why? without a selection', () => {
  it('lists sentences as they are, without icons that the model could write, and asks about the one that is chosen', async () => {
    const scripted = await startScripted();
    const { conversations } = scripted;
    const composers = createComposers(conversations, { get: () => undefined, set: () => undefined });
    const intents = createIntents({
      ...QUIET,
      routes: { active: () => undefined },
      probes: { lackOf: () => undefined, works: () => false },
      conversations,
      composers,
      log: { warn: () => undefined },
    });
    const { showQuickPick } = vscode.window;
    const labels: string[] = [];
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly (string | vscode.QuickPickItem)[]) {
        labels.push(...items.map((item) => (typeof item === 'string' ? item : item.label)));
        return items[1];
      },
    });
    const sentences = ['It runs.', 'In a shell, $(trash) runs “trash”.'];
    const { id } = conversations.current();
    const reply = await intents.receive(
      { type: 'choose-words', turnId: 't', sentences },
      id,
      composers.of(id),
    );
    Object.assign(vscode.window, { showQuickPick });
    intents.dispose();
    composers.dispose();
    await scripted.close();
    assert.deepEqual(reply.why, { turnId: 't', words: sentences[1] });
    assert.deepEqual(labels, ['It runs.', 'In a shell, $ (trash) runs “trash”.']);
  });
});

describe('Smaller images', () => {
  it('are sent with the preset of the attempt that was too large', async () => {
    const scripted = await startScripted();
    const { conversations, routes } = scripted;
    const cards = createCardActions({
      waiting: NOT_WAITING,
      log: { warn: assert.fail },
      conversations,
      routes,
      proposals: { ofTurn: () => [] },
      renames: NOT_RENAMED,
      composers: { compose: () => undefined },
      images: { shrink: async (images) => images.map((image) => ({ ...image, name: 'smaller.png' })) },
      structured: { perform: nothing },
    });
    scripted.will(...['One.', 'Two.', 'Three.'].map((answer) => streamOf([{ answer }, { finish: 'stop' }])));
    const question = { text: 'What is it?', images: [IMAGE], origin: undefined, preset: { name: 'Long' } };
    const first = await conversations.ask(conversations.current().id, question);
    assert.ok(first.ok);
    await ended(conversations, first.turnId);
    const second = await conversations.askAgain(first.turnId, {
      preset: { name: 'Short', prompt: 'Be brief.' },
    });
    assert.ok(second.ok);
    await ended(conversations, second.turnId);
    await cards.perform('smaller-images', second.turnId);
    cards.dispose();
    const asked = conversations.current().exchanges.at(-1)?.question;
    assert.deepEqual([asked?.images[0]?.name, asked?.preset?.name], ['smaller.png', 'Short']);
    const { content } = JSON.parse(scripted.requests.at(-1)?.body ?? '').messages.at(-1);
    assert.match(JSON.stringify(content), /Be brief\./);
    await scripted.close();
  });
});
