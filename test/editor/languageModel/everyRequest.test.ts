/** Asks the same question through every feature that sends requests. */
import assert from 'node:assert/strict';
import { afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Turn } from '../../../src/conversation/turn.ts';
import { createAskTool } from '../../../src/editor/languageModel/askTool.ts';
import { createOtherChats } from '../../../src/editor/languageModel/otherChats.ts';
import { createRequestHandler } from '../../../src/editor/participant/chatParticipant.ts';
import type { Refusal } from '../../../src/requests/refusal.ts';
import type { Turns } from '../../../src/requests/turns.ts';
import { QUIET } from '../chatView/window.ts';
import { type Asking, watchModals } from '../modals.ts';
import {
  ended,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  USAGE,
  until,
  writeDelta,
} from '../scripted.ts';
import { skipWithoutProviders } from './otherChat.ts';

const WORDS = 'Reply with the single word: ready';
const token = new vscode.CancellationTokenSource().token;

describe('The same question through every feature that asks svc-k3', () => {
  before(skipWithoutProviders);

  let scripted: Scripted;
  let modals: Asking;
  let bodies: string[];
  let refusals: Refusal[];
  let turns: Turn[];
  let prepare: Turns['prepare'];
  beforeEach(async () => {
    scripted = await startScripted();
    scripted.tools.set.choose({ without: scripted.tools.set.all().map(({ name }) => name), others: [] });
    modals = watchModals();
    bodies = [];
    refusals = [];
    turns = [];
    prepare = scripted.turns.prepare;
    // The shared module, instrumented: what does not go through it is not counted.
    Object.assign(scripted.turns, {
      prepare: async (...question: Parameters<Turns['prepare']>) => {
        const prepared = await prepare(...question);
        if (!prepared.ok) {
          refusals.push(prepared.refusal);
          return prepared;
        }
        const run: typeof prepared.run = async (control) => {
          const turn = await prepared.run(control);
          turns.push(turn);
          return turn;
        };
        return { ...prepared, run };
      },
    });
  });
  afterEach(async () => {
    Object.assign(scripted.turns, { prepare });
    scripted.tools.set.choose({ without: [], others: [] });
    modals.restore();
    await scripted.close();
  });

  const ways: Readonly<Record<string, () => Promise<unknown>>> = {
    async panel() {
      const { conversations } = scripted;
      const question = { text: WORDS, images: [], origin: undefined };
      const asked = await conversations.ask(conversations.create().id, question);
      if (asked.ok) await ended(conversations, asked.turnId);
    },
    async participant() {
      const stream = { markdown: () => undefined, progress: () => undefined, button: () => undefined };
      await createRequestHandler({ ...QUIET, conversations: scripted.conversations })(
        { prompt: WORDS, references: [] },
        { history: [] },
        stream,
        token,
      );
    },
    async provider() {
      const [model] = await vscode.lm.selectChatModels({ vendor: 'k3' });
      assert.ok(model);
      const response = await model.sendRequest([vscode.LanguageModelChatMessage.User(WORDS)]);
      for await (const _ of response.text);
    },
    async tool() {
      const { conversations, turns: shared } = scripted;
      const otherChats = createOtherChats({
        conversations,
        turns: shared,
        log: { warn: () => undefined },
      });
      const tool = createAskTool({ otherChats, routes: { active: () => undefined }, turns: shared });
      await tool.invoke({ input: { question: WORDS }, toolInvocationToken: undefined }, token);
    },
    check: async () => vscode.commands.executeCommand('k3.checkConnection'),
  };

  it('sends the same request and reports the same usage', async () => {
    const stream = streamOf([{ reasoning: 'Hm.' }, { answer: 'ready' }, { finish: 'stop' }]);
    for (const [name, ask] of Object.entries(ways)) {
      if (name === 'check') scripted.will((response) => void response.writeHead(404).end());
      scripted.will((response, body) => {
        bodies.push(body);
        return stream(response, body);
      });
      await ask();
      assert.equal(turns.length, bodies.length, `${name} does not go through the shared module`);
    }
    assert.equal(bodies.length, Object.keys(ways).length);
    assert.equal(new Set(bodies).size, 1, bodies.join('\n'));
    const accounts = turns.map(({ usage, outcome, request }) => {
      // Only the chat has a choice of tools, which is kept to explain a change of the cache.
      const { toolChoice, ...facts } = request;
      return { usage, outcome, request: facts };
    });
    for (const account of accounts) assert.deepEqual(account, accounts[0]);
  });

  /** Runs something with a daily cap that is reached, and declines to exceed it. */
  async function underCap(act: () => Promise<void>): Promise<void> {
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('dailyCap', 0.0000011, vscode.ConfigurationTarget.Global);
    try {
      await act();
    } finally {
      await settings.update('dailyCap', undefined, vscode.ConfigurationTarget.Global);
    }
  }

  /** The amount that the daily cap counts as spent, in USD. */
  async function spentToday(): Promise<number> {
    await underCap(async () => void (await ways['panel']?.()));
    const refusal = refusals.at(-1);
    assert.ok(refusal?.kind === 'over-cap');
    return refusal.spent;
  }

  it('adds the same amount to today’s cost', async () => {
    const stream = streamOf([{ answer: 'ready' }, { finish: 'stop' }]);
    let before = await spentToday();
    for (const [name, ask] of Object.entries(ways)) {
      if (name === 'check') scripted.will((response) => void response.writeHead(404).end());
      scripted.will(stream);
      await ask();
      // 1,000 new input tokens, 1,000 cached ones, and 500 output tokens.
      const cost = 0.003 + 0.0003 + 0.0075;
      const spent = await spentToday();
      assert.ok(Math.abs(spent - before - cost) < 1e-9, name);
      before = spent;
    }
  });

  it('is counted when its conversation is deleted while it runs', async () => {
    const before = await spentToday();
    scripted.will((response) => {
      startStream(response);
      writeDelta(response, { answer: 'rea' });
      response.write(
        `data: ${JSON.stringify({ id: 'r-1', model: 'svc-k3', choices: [], usage: USAGE })}\n\n`,
      );
    });
    const { conversations } = scripted;
    const { id } = conversations.create();
    const asked = await conversations.ask(id, { text: WORDS, images: [], origin: undefined });
    assert.ok(asked.ok);
    await until(() => conversations.find(asked.turnId)?.turn.usage);
    conversations.delete(id);
    await until(() => turns.at(-1)?.outcome === 'stopped');
    assert.ok((await spentToday()) > before);
  });

  it('costs nothing in the demo, without asking about the cap', async () => {
    const settings = vscode.workspace.getConfiguration('k3');
    const before = await spentToday();
    await vscode.commands.executeCommand('k3.tryDemo');
    const asked = modals.details.length;
    await underCap(async () => void (await ways['panel']?.()));
    assert.equal(modals.details.length, asked);
    const turn = turns.at(-1);
    assert.deepEqual([turn?.request.demo, turn?.outcome], [true, 'complete']);
    assert.ok((turn?.usage?.totalTokens ?? 0) > 0);
    const { id } = scripted.conversations.current();
    assert.equal(scripted.conversations.list().find((one) => one.id === id)?.cost, 0);
    // Switching to a route ends the demo.
    await settings.update('route', undefined, vscode.ConfigurationTarget.Global);
    await settings.update('route', 'scripted', vscode.ConfigurationTarget.Global);
    assert.equal(await spentToday(), before);
  });

  it('asks the same question about the daily cap, and is refused in the same way', async () => {
    await underCap(async () => {
      for (const ask of Object.values(ways)) await ask().catch(() => undefined);
    });
    const count = Object.keys(ways).length;
    assert.equal(refusals.length, count);
    for (const refusal of refusals) assert.deepEqual(refusal, refusals[0]);
    assert.equal(refusals[0]?.kind, 'over-cap');
    const details = modals.details.map((detail) => detail.replace(/^Another chat [^.]*\. /, ''));
    assert.equal(details.length, count);
    assert.equal(new Set(details).size, 1, details.join('\n'));
  });
});
