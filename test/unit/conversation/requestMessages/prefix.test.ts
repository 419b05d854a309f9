import assert from 'node:assert/strict';
import v8 from 'node:v8';
import { describe, it } from 'mocha';
import { foldTurn } from '../../../../src/conversation/fold.ts';
import type { RequestFacts } from '../../../../src/conversation/requestFacts.ts';
import {
  findCacheDrop,
  findChangedPart,
  toPrefix,
} from '../../../../src/conversation/requestMessages/prefix.ts';
import { toMessages } from '../../../../src/conversation/requestMessages/transcript.ts';
import type { Prefix } from '../../../../src/conversation/requestPrefix.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { buildRequest } from '../../../../src/service/request.ts';
import type { ChatRequest, Message } from '../../../../src/service/types.ts';
import { REQUEST } from '../../service/wire.ts';
import { completeTurn, exchangeOf, FACTS, NO_USAGE, turnOf } from '../turns.ts';

const SYSTEM: Message = { role: 'system', content: 'Be brief.' };
const user = (content: string): Message => ({ role: 'user', content });

function turnWith(
  prefix: Prefix,
  promptTokens: number | undefined,
  cachedTokens: number | undefined,
  routeName = 'direct',
): Turn {
  return {
    ...turnOf([], { ...FACTS, prefix, routeName }),
    usage: { ...NO_USAGE, promptTokens, cachedTokens, totalTokens: 1 },
  };
}

describe('The prefix of a request', () => {
  it('R11 is byte for byte the start of the next request', () => {
    const requests: ChatRequest[] = [];
    const exchanges = [];
    for (const text of ['one', 'two', 'three']) {
      const built = buildRequest({
        model: 'svc-k3',
        messages: toMessages('Be brief.', exchanges, { text, images: [] }),
      });
      assert.ok(built.ok);
      requests.push(built.request);
      exchanges.push(exchangeOf(text, completeTurn(`Answer to ${text}.`)));
    }
    for (const [i, request] of requests.entries()) {
      const next = requests[i + 1];
      if (next === undefined) continue;
      // Up to the end of the last message. The next request continues in place of the closing bracket.
      const bytes = JSON.stringify(request);
      const open = bytes.slice(0, bytes.indexOf('],"stream"'));
      assert.ok(JSON.stringify(next).startsWith(`${open},`), `turn ${i + 2} begins with turn ${i + 1}`);
      assert.ok(toPrefix(next).startsWith(toPrefix(request)));
    }
  });

  it('R11 has a part for the model, the tools, the system prompt, and each message', () => {
    const prefix = toPrefix({ model: 'svc-k3', messages: [SYSTEM, user('a')] });
    assert.match(prefix, /^m[0-9a-f]{7}t[0-9a-f]{7}s[0-9a-f]{7}-[0-9a-f]{7}$/);
  });

  it('R11 takes 8 bytes for each message, because all of it is stored with each turn', () => {
    const messages = Array.from({ length: 1000 }, (_, n) => user(`Question ${n}`));
    const size = (count: number) =>
      v8.serialize(toPrefix({ model: 'svc-k3', messages: messages.slice(0, count) })).length;
    assert.equal(size(1000) - size(500), 500 * 8);
  });

  it('R11 begins with another one only up to the first part that differs', () => {
    const prefix = (...texts: string[]) => toPrefix({ model: 'svc-k3', messages: texts.map(user) });
    assert.equal(findChangedPart(prefix('a', 'b'), prefix('a', 'b')), -1);
    assert.equal(findChangedPart(prefix('a', 'b'), prefix('a', 'b', 'c')), -1);
    assert.equal(findChangedPart(prefix('a', 'b', 'c'), prefix('a', 'b')), 4);
    assert.equal(findChangedPart(prefix('a', 'b'), prefix('x', 'b')), 2);
    assert.equal(findChangedPart(prefix('a'), ''), 0);
    assert.equal(findChangedPart('', prefix('a')), -1);
  });
});

describe('A cache drop', () => {
  const before = toPrefix({ model: 'svc-k3', messages: [SYSTEM, user('a'), user('b')] });
  const drop = (after: Prefix, cached: number | undefined, prompt = 5000) =>
    findCacheDrop(turnWith(before, prompt, 0), turnWith(after, 6000, cached));

  it('R11 is undefined if all or nearly all blocks of the earlier prompt were cached', () => {
    assert.equal(drop(before, 4864), undefined);
    assert.equal(drop(before, 2432), undefined);
    assert.notEqual(drop(before, 2431), undefined);
  });

  it('R11 says that the service did not keep an unchanged prefix', () => {
    assert.deepEqual(drop(before, 0), {
      expectedTokens: 4864,
      cachedTokens: 0,
      changed: 'nothing',
      message: undefined,
    });
  });

  it('R11 is looked for on the same route only, not on another one with its name or its address', () => {
    const on = (routeName: string, routePlace: string, cached: number) => {
      const turn = turnWith(before, 5000, cached);
      return { ...turn, request: { ...turn.request, routeName, routePlace } };
    };
    const first = on('first', 'here', 0);
    assert.equal(findCacheDrop(first, on('first', 'here', 0))?.changed, 'nothing');
    // It may have another key or model, or it was renamed.
    assert.equal(findCacheDrop(first, on('other', 'here', 0)), undefined);
    assert.equal(findCacheDrop(first, on('first', 'there', 0)), undefined);
  });

  it('R11 names the first part that changed', () => {
    const changed = (request: Parameters<typeof toPrefix>[0]) => drop(toPrefix(request), 0);
    const messages = [SYSTEM, user('a'), user('b')];
    assert.equal(changed({ model: 'other', messages })?.changed, 'model');
    const tools = [{ type: 'function', function: { name: 'f', parameters: {} } }] as const;
    assert.equal(changed({ model: 'svc-k3', tools, messages })?.changed, 'tools');
    assert.equal(
      changed({ model: 'svc-k3', messages: [{ role: 'system', content: 'x' }, user('a'), user('b')] })
        ?.changed,
      'system',
    );
    const edited = changed({ model: 'svc-k3', messages: [SYSTEM, user('a'), user('edited')] });
    assert.equal(edited?.changed, 'message');
    assert.equal(edited.message, 2);
    assert.equal(changed({ model: 'svc-k3', messages: [SYSTEM, user('a')] })?.message, 2);
  });

  it('R11 tells tools that a server or an extension changed from others that the user selected', () => {
    const tool = (parameters: Record<string, unknown>) =>
      ({ type: 'function', function: { name: 'f', parameters } }) as const;
    const sent = (parameters: Record<string, unknown>, facts: Partial<RequestFacts>): Turn => {
      const prefix = toPrefix({ model: 'svc-k3', tools: [tool(parameters)], messages: [SYSTEM] });
      const turn = turnWith(prefix, 5000, 0);
      return { ...turn, request: { ...turn.request, ...facts } };
    };
    const changed = (earlier: Partial<RequestFacts>, now: Partial<RequestFacts>) =>
      findCacheDrop(sent({}, earlier), sent({ type: 'object' }, now))?.changed;
    assert.equal(changed({ toolChoice: 'a' }, { toolChoice: 'a' }), 'other-tools');
    assert.equal(changed({ toolChoice: 'a' }, { toolChoice: 'b' }), 'tools');
    assert.equal(changed({}, { toolChoice: 'a' }), 'tools', 'a turn of an earlier version');
  });

  it('R11 names the system prompt if it was added or removed', () => {
    const without = toPrefix({ model: 'svc-k3', messages: [user('a'), user('b')] });
    assert.deepEqual(findCacheDrop(turnWith(without, 5000, 0), turnWith(before, 6000, 0)), {
      expectedTokens: 4864,
      cachedTokens: 0,
      changed: 'system',
      message: undefined,
    });
    assert.equal(drop(without, 0)?.changed, 'system');
  });

  it('Q13 Q15 names the answer format or the effort if the messages are the same', () => {
    const withFacts = (facts: Partial<RequestFacts>): Turn => {
      const turn = turnWith(before, 5000, 0);
      return { ...turn, request: { ...turn.request, ...facts } };
    };
    const changed = (earlier: Partial<RequestFacts>, now: Partial<RequestFacts>) =>
      findCacheDrop(withFacts(earlier), withFacts(now))?.changed;
    assert.equal(changed({}, { answerFormat: 'one' }), 'answer-format');
    assert.equal(changed({ answerFormat: 'one' }, {}), 'answer-format');
    assert.equal(changed({ answerFormat: 'one' }, { answerFormat: 'two' }), 'answer-format');
    assert.equal(changed({ answerFormat: 'one' }, { answerFormat: 'one' }), 'nothing');
    assert.equal(changed({ effort: 'max' }, { effort: 'low' }), 'effort');
    // The start of the request comes first.
    assert.equal(changed({}, { answerFormat: 'one', prefix: before.slice(0, 8) }), 'tools');
  });

  it('Q5 says that the form of all contents changed, at the start of a turn or between its rounds', () => {
    const inParts = (turn: Turn, fromRound: number): Turn => ({
      ...turn,
      request: { ...turn.request, contentParts: { fromRound, refused: false } },
    });
    const after = toPrefix({ model: 'svc-k3', messages: [user('in another form')] });
    const strings = turnWith(before, 5000, 0);
    const parts = inParts(turnWith(after, 6000, 0), 0);
    assert.equal(findCacheDrop(strings, parts)?.changed, 'form');
    assert.equal(findCacheDrop(parts, turnWith(before, 6000, 0))?.changed, 'form');
    assert.equal(findCacheDrop(parts, parts)?.changed, 'nothing');
    const round = completeTurn('a');
    const twoRounds = (fromRound: number) =>
      inParts(
        { ...round, rounds: [{ ...round, toolCalls: [], times: { ...round.roundTimes, endedAt: 1 } }] },
        fromRound,
      );
    const missed = (turn: Turn): Turn => ({
      ...turn,
      tries: 1,
      usage: { ...NO_USAGE, promptTokens: 3000, cachedTokens: 0 },
    });
    assert.equal(findCacheDrop(undefined, missed(twoRounds(1)))?.changed, 'form');
    assert.equal(findCacheDrop(undefined, missed(twoRounds(0)))?.changed, 'nothing');
  });

  it('R4 names the first message in another form, between rounds and not in the turn before them', () => {
    const answer: Message = { role: 'assistant', content: 'b', reasoning_content: 'r' };
    const messages = [SYSTEM, user('a'), answer, user('c')];
    const bare = messages.with(2, { role: 'assistant', content: 'b' });
    const request: ChatRequest = { ...REQUEST, messages: bare };
    const begun = turnWith(toPrefix({ model: 'svc-k3', messages }), 6000, 6000);
    const round = { ...begun, toolCalls: [], tries: 1, times: { ...begun.roundTimes, endedAt: 1 } };
    const asked = foldTurn(
      { ...begun, rounds: [round] },
      { at: 1, event: { type: 'other-reasoning', sent: 'none', request, prefix: toPrefix(request) } },
    );
    const missed = { ...asked, tries: 1, usage: { ...NO_USAGE, promptTokens: 6000, cachedTokens: 0 } };
    const found = findCacheDrop(begun, missed);
    assert.deepEqual([found?.changed, found?.message], ['message', 2]);
    const lost = { ...round, usage: { ...NO_USAGE, promptTokens: 6000, cachedTokens: 0 } };
    assert.equal(findCacheDrop(begun, { ...asked, tries: 1, rounds: [lost] })?.changed, 'nothing');
    const atOnce = foldTurn(begun, {
      at: 1,
      event: { type: 'other-reasoning', sent: 'none', request, prefix: toPrefix(request) },
    });
    assert.equal(findCacheDrop(begun, { ...atOnce, usage: lost.usage })?.changed, 'message');
  });

  it('R11 is undefined if nothing can be compared', () => {
    assert.equal(findCacheDrop(undefined, turnWith(before, 6000, 0)), undefined);
    assert.equal(drop(before, undefined), undefined);
    assert.equal(findCacheDrop(turnWith(before, undefined, 0), turnWith(before, 6000, 0)), undefined);
    assert.equal(
      findCacheDrop(turnWith(before, 5000, 0, 'direct'), turnWith(before, 6000, 0, 'gateway')),
      undefined,
    );
  });

  it('R11 is undefined below about a thousand tokens, where the cache is not counted in blocks', () => {
    assert.equal(drop(before, 0, 1024), undefined);
    assert.notEqual(drop(before, 0, 1025), undefined);
  });
});
