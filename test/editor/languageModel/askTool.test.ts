import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { createAskTool } from '../../../src/editor/languageModel/askTool.ts';
import { ASK_TOOL } from '../../../src/editor/languageModel/names.ts';
import type { ActiveRoute } from '../../../src/requests/credentials.ts';
import { type Scripted, startScripted } from '../scripted.ts';

const token = new vscode.CancellationTokenSource().token;
const route = {
  name: 'mine',
  kind: 'direct',
  root: 'https://k3.test/v1',
  origin: 'https://k3.test',
  model: 'svc-k3',
} as const;

describe('The tool k3_ask_svc_k3', () => {
  let scripted: Scripted;
  let sent: string[];
  let active: ActiveRoute | undefined;
  let cutOff: string | undefined;
  beforeEach(async () => {
    scripted = await startScripted();
    sent = [];
    cutOff = undefined;
    active = { route, demoKey: undefined };
  });
  afterEach(() => scripted.close());

  const tool = createAskTool({
    routes: { active: () => active },
    turns: {
      build: (...request) => scripted.turns.build(...request),
      tokenRatio: (of) => scripted.turns.tokenRatio(of),
    },
    otherChats: {
      async ask({ messages }, listener) {
        const [part] = messages[0]?.parts ?? [];
        sent.push(part?.type === 'text' ? part.text : '');
        if (cutOff !== undefined) {
          listener.answer(cutOff);
          throw new Error('It was cut off.');
        }
        return { answer: 'Forty-two.', calls: [], usage: undefined };
      },
    },
  });

  async function asksFor(input: object): Promise<string> {
    const prepared = await tool.prepareInvocation({ input }, token);
    const message = prepared?.confirmationMessages?.message;
    assert.ok(message instanceof vscode.MarkdownString);
    assert.ok(!message.isTrusted && !message.supportHtml);
    return message.value;
  }

  it('is registered in the editor', () => {
    const found = vscode.lm.tools.find(({ name }) => name === ASK_TOOL);
    assert.match(found?.description ?? '', /costs money/);
  });

  it('is not available to svc-k3, which would ask itself', () => {
    const offered = scripted.tools.set.all();
    assert.ok(offered.some(({ source }) => source !== 'k3'));
    assert.ok(!offered.some(({ name }) => name === ASK_TOOL));
  });

  it('sends nothing when another route is active than the one that was confirmed, and asks again', async () => {
    const invoke = () => tool.invoke({ input: { question: 'Why?' }, toolInvocationToken: undefined }, token);
    for (const other of [
      {
        route: { ...route, root: 'https://other.test/v1', origin: 'https://other.test' },
        demoKey: undefined,
      },
      { route: { ...route, name: 'yours' }, demoKey: undefined },
      { route, demoKey: 'demo' },
      undefined,
    ]) {
      active = { route, demoKey: undefined };
      await asksFor({ question: 'Why?' });
      active = other;
      await assert.rejects(
        async () => invoke(),
        /^Error: The active route was changed after this question was confirmed/,
      );
    }
    assert.deepEqual(sent, []);
    active = { route, demoKey: undefined };
    await asksFor({ question: 'Why?' });
    await invoke();
    assert.deepEqual(sent, ['Why?']);
  });

  it('shows the exact text, the route, and that it is billed before it is sent', async () => {
    const asked = await asksFor({ question: 'Why?', context: 'Because.' });
    assert.match(asked.replaceAll('&nbsp;', ' '), /route “mine”.*billed/);
    assert.ok(asked.includes('```text\nBecause.\n\nWhy?\n```'));
    await tool.invoke(
      { input: { question: 'Why?', context: 'Because.' }, toolInvocationToken: undefined },
      token,
    );
    assert.deepEqual(sent, ['Because.\n\nWhy?']);
  });

  it('escapes fences in the text, and shows invisible characters', async () => {
    const asked = await asksFor({ question: 'A\n```\n[Run](command:x)\u202e' });
    assert.ok(asked.includes('````text\nA\n```\n[Run](command:x)⟦U+202E⟧\n````'));
  });

  it('returns the answer as text', async () => {
    const result = await tool.invoke({ input: { question: 'Why?' }, toolInvocationToken: undefined }, token);
    const [part] = result?.content ?? [];
    assert.ok(part instanceof vscode.LanguageModelTextPart);
    assert.equal(part.value, 'Forty-two.');
  });

  it('has the text of an answer that was cut off in its error, and says nothing of one without text', async () => {
    const ask = async () =>
      tool.invoke({ input: { question: 'Why?' }, toolInvocationToken: undefined }, token);
    cutOff = 'Forty-';
    await assert.rejects(ask, { message: 'It was cut off.\n\nThe answer so far: Forty-' });
    cutOff = '';
    await assert.rejects(ask, { message: 'It was cut off.' });
  });

  it('rejects invalid input, and names the field', async () => {
    for (const input of [{}, { question: ' ' }, { question: 7 }])
      await assert.rejects(
        async () => tool.invoke({ input, toolInvocationToken: undefined }, token),
        /“question”/,
      );
    const input = { question: 'Why?', context: ['a'] };
    await assert.rejects(
      async () => tool.invoke({ input, toolInvocationToken: undefined }, token),
      /“context”/,
    );
    assert.deepEqual(sent, []);
  });
});
