import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { toRound } from '../../../src/conversation/rounds.ts';
import { describeTurn } from '../../../src/requests/describeTurn.ts';
import { completeTurn, SOME_USAGE } from '../conversation/turns.ts';

describe('The line of a turn in the log and in the diagnostics', () => {
  it('names another model that answered one of its requests, as the warning does (R2)', () => {
    const turn = completeTurn();
    const other = toRound({ ...turn, responseModel: 'cheap-1' }, [], 1);
    assert.match(describeTurn(turn), /, model svc-k3,/);
    assert.match(describeTurn({ ...turn, rounds: [other], tries: 1 }), /, model cheap-1,/);
    assert.match(describeTurn({ ...turn, responseModel: undefined }), /, model not named,/);
  });

  it('says that usage of zeros was not reported, as the chat does (F6)', () => {
    const zeros = { ...SOME_USAGE, promptTokens: 0, completionTokens: 0, totalTokens: 0 };
    assert.match(describeTurn(completeTurn()), /, tokens 2050,/);
    assert.match(describeTurn({ ...completeTurn(), usage: zeros }), /, tokens not reported,/);
  });

  it('is one line, whatever the service writes into the fields of its responses, and has little of it', () => {
    const forged =
      'stop\n2026-11-22 12:00:00.000 [info] the key was removed\u001b]52;c;cm0=\u0007\u2028\u202e';
    const turn = {
      ...completeTurn(),
      finishReason: forged,
      responseModel: forged,
      responseId: forged,
      requestId: 'My question. '.repeat(1000),
    };
    const line = describeTurn(turn);
    assert.doesNotMatch(line, /[\p{C}\p{Zl}\p{Zp}]/u);
    assert.match(line, /, finish stop�2026/);
    assert.ok(line.length < 1000, line);
  });

  it('R6 has the reasoning tokens of all requests, which no other line of the log has', () => {
    const turn = { ...completeTurn(), usage: SOME_USAGE };
    const round = toRound(turn, [], 1);
    assert.match(describeTurn(turn), /, tokens 2050, reasoning tokens 40,/);
    assert.match(describeTurn({ ...turn, rounds: [round], tries: 1 }), /, reasoning tokens 80,/);
    const usage = { ...SOME_USAGE, reasoningTokens: undefined };
    assert.match(describeTurn({ ...turn, usage }), /, reasoning tokens not reported,/);
  });
});
