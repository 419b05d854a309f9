import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'mocha';
import { REQUEST_OVERHEAD_TOKENS } from '../../../../src/conversation/requestMessages/requestParts.ts';
import { estimateTokens } from '../../../../src/conversation/usage/tokens.ts';
import type { TurnContent } from '../../../../src/requests/turnContent.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import type { Route } from '../../../../src/service/types.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createAskTool } = await withEditorStub(
  () => import('../../../../src/editor/languageModel/askTool.ts'),
);

const route: Route = {
  name: 'mine',
  kind: 'direct',
  root: 'https://k3.test/v1',
  origin: 'https://k3.test',
  model: 'svc-k3',
};
const turns = (ratio: number) => ({
  build: ({ request }: TurnContent, { model }: Route) => buildRequest({ ...request, model }),
  tokenRatio: () => ratio,
});

describe('What the tool k3_ask_svc_k3 says about cost', () => {
  async function saidFor(question: string, ratio: number): Promise<string> {
    const tool = createAskTool({
      routes: { active: () => ({ route, demoKey: undefined }) },
      otherChats: { ask: () => assert.fail() },
      turns: turns(ratio),
    });
    const prepared = await tool.prepareInvocation({ input: { question } }, {} as never);
    const message = prepared?.confirmationMessages?.message;
    assert.ok(typeof message === 'object');
    return message.value;
  }
  const tokensIn = (said: string) =>
    Number(/about ([\d,]+) input tokens/.exec(said)?.[1]?.replaceAll(',', ''));

  it('is the estimate of the request, as the daily cap and the next request have it', async () => {
    const text = 'Why does it stop? '.repeat(200);
    const one = tokensIn(await saidFor(text, 1));
    assert.ok(one >= REQUEST_OVERHEAD_TOKENS + estimateTokens(text), `${one}`);
    const two = tokensIn(await saidFor(text, 2));
    assert.ok(two - one >= estimateTokens(text), `${one} and ${two}`);
  });
});

describe('The text that the tool k3_ask_svc_k3 sends', () => {
  it('is shown as far as the editor shows it, with how much of it that is', async () => {
    const tool = createAskTool({
      routes: { active: () => ({ route, demoKey: undefined }) },
      otherChats: { ask: () => assert.fail() },
      turns: turns(1),
    });
    const shownOf = async (question: string) => {
      const prepared = await tool.prepareInvocation({ input: { question } }, {} as never);
      const message = prepared?.confirmationMessages?.message;
      assert.ok(typeof message === 'object');
      return message.value;
    };
    const said = /only the beginning of the text is shown/i;
    assert.doesNotMatch(await shownOf('x'.repeat(50_000)), said);
    const long = await shownOf(`${'x'.repeat(200_000)} and the secret`);
    assert.match(long, said);
    // The editor cuts what is longer.
    assert.ok(long.length <= 100_000, `${long.length}`);
    assert.match(long, /\n```\n$/);
  });
});

describe('The input of the tool k3_ask_svc_k3', () => {
  it('is refused with the name of the field, also when a model has sent none', () => {
    const tool = createAskTool({
      routes: { active: () => undefined },
      otherChats: { ask: () => assert.fail() },
      turns: turns(1),
    });
    for (const input of [null, undefined, 'Why?', ['Why?']])
      assert.throws(() => tool.prepareInvocation({ input: input as never }, {} as never), /“question”/);
  });
});

describe('A question that the tool k3_ask_svc_k3 was asked before', () => {
  const other: Route = { ...route, name: 'other', root: 'https://other.test/v1' };
  const input = { question: 'Why?' };
  let active: Route;
  let sent: string[];
  let tool: ReturnType<typeof createAskTool>;
  beforeEach(() => {
    active = route;
    sent = [];
    tool = createAskTool({
      routes: { active: () => ({ route: active, demoKey: undefined }) },
      otherChats: {
        async ask() {
          sent.push(active.name);
          return { answer: 'Because.', calls: [], usage: undefined };
        },
      },
      turns: turns(1),
    });
  });
  const confirm = () => tool.prepareInvocation({ input }, {} as never);
  const invoke = async () => tool.invoke({ input, toolInvocationToken: undefined }, {} as never);
  const CHANGED = /The active route was changed/;

  it('is sent where it was confirmed now, after another route than the first time', async () => {
    for (const next of [route, other, route]) {
      active = next;
      confirm();
      await invoke();
    }
    assert.deepEqual(sent, ['mine', 'other', 'mine']);
  });

  /** As newer editors do it for a chat: they say which one it is. */
  const confirmIn = (path: string) =>
    tool.prepareInvocation({ input, chatSessionResource: { path } } as never, {} as never);
  const invokeIn = async (path: string) =>
    tool.invoke({ input, toolInvocationToken: { sessionResource: { path } } as never }, {} as never);

  it('is sent where its own chat has confirmed it last, also if it was refused there before', async () => {
    confirmIn('/one');
    active = other;
    confirmIn('/one');
    await invokeIn('/one');
    assert.deepEqual(sent, ['other']);
    active = route;
    confirmIn('/one');
    active = other;
    confirmIn('/two');
    await invokeIn('/two');
    await assert.rejects(invokeIn('/one'), CHANGED);
    await assert.rejects(invokeIn('/one'), CHANGED);
    assert.deepEqual(sent, ['other', 'other']);
    confirmIn('/one');
    await invokeIn('/one');
    assert.deepEqual(sent, ['other', 'other', 'other']);
    confirmIn('/one');
    confirmIn('/one');
    await invokeIn('/one');
    active = route;
    await assert.rejects(invokeIn('/one'), CHANGED, 'of two questions at once');
  });

  it('is not sent to another route by the chat that waits when two have asked the same', async () => {
    confirm();
    confirm();
    await invoke();
    active = other;
    await assert.rejects(invoke, CHANGED);
    confirm();
    await invoke();
    assert.deepEqual(sent, ['mine', 'other']);
  });
});
