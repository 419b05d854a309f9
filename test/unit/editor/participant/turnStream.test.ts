import assert from 'node:assert/strict';
import { mock } from 'node:test';
import { afterEach, describe, it } from 'mocha';
import type { TurnEvent } from '../../../../src/conversation/events.ts';
import { createTurn, foldStep } from '../../../../src/conversation/fold.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import { ServiceError } from '../../../../src/service/errors.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { answer, chunk, FACTS, finish, reasoning, SERVICE_ENDED } from '../../conversation/turns.ts';

const { streamTurn } = await withEditorStub(() => import('../../../../src/editor/participant/turnStream.ts'));

/** A conversation with one turn, beside others that are running. */
function createRunning() {
  let turn: Turn | undefined = createTurn('mine', 0, FACTS);
  let listener: ((change: object) => void) | undefined;
  const counts = { finds: 0 };
  return {
    counts,
    conversations: {
      find: () => {
        counts.finds++;
        return turn && { turn };
      },
      onDidChange: (added: (change: object) => void) => {
        listener = added;
        return {
          dispose() {
            listener = undefined;
          },
        };
      },
    } as never,
    step(event: TurnEvent['event']): void {
      const step = foldStep(turn ?? assert.fail(), { at: 1, event });
      turn = step.turn;
      listener?.({ type: 'turn', ...step });
    },
    stepOther(id: string): void {
      const step = foldStep(createTurn(id, 0, FACTS), { at: 1, event: answer('Other.') });
      listener?.({ type: 'turn', ...step });
    },
    remove(): void {
      turn = undefined;
      listener?.({ type: 'listed' });
    },
    isHeard: () => listener !== undefined,
  };
}

describe('A turn that another chat shows', () => {
  let shown = '';
  let steps: string[] = [];
  const stream = {
    markdown: (text: string) => {
      shown += text;
    },
    progress: (step: string) => void steps.push(step),
    button: () => undefined,
  } as never;
  afterEach(() => {
    mock.restoreAll();
    shown = '';
    steps = [];
  });

  it('is looked at once for each of its deltas, and not for those of other conversations', async () => {
    const running = createRunning();
    const streamed = streamTurn(running.conversations, 'mine', stream);
    running.step(reasoning('Hm.'));
    const before = running.counts.finds;
    for (let at = 0; at < 100; at++) running.stepOther(`other ${at % 3}`);
    for (let at = 0; at < 100; at++) running.step(answer('a'));
    assert.equal(running.counts.finds, before);
    running.step(finish('stop'));
    running.step(SERVICE_ENDED);
    assert.equal((await streamed)?.answer.length, 100);
    assert.equal(shown, 'a'.repeat(100));
    assert.deepEqual([steps, running.isHeard()], [['Reasoning…'], false]);
  });

  it('is not compared with all that was shown at each delta', () => {
    /** The characters that are compared for an answer of so many deltas. */
    const comparedFor = (deltas: number) => {
      const running = createRunning();
      void streamTurn(running.conversations, 'mine', stream);
      const { startsWith } = String.prototype;
      let compared = 0;
      mock.method(String.prototype, 'startsWith', function (this: string, start: string, at?: number) {
        compared += start.length;
        return startsWith.call(this, start, at);
      });
      for (let at = 0; at < deltas; at++) running.step(answer('0123456789'));
      mock.restoreAll();
      return compared;
    };
    const [few, many] = [comparedFor(100), comparedFor(1000)];
    assert.ok(many <= few * 10, `${few} characters for 100 deltas, ${many} for 1000`);
  });

  it('has the text of its rounds, and text that was replaced, once', async () => {
    const running = createRunning();
    running.step(answer('Let'));
    const streamed = streamTurn(running.conversations, 'mine', stream);
    running.step(answer(' me'));
    running.step(chunk({ answer: ' look.', finishReason: 'tool_calls' }));
    running.step({ type: 'round-ended', calls: [] });
    running.step(answer('I think'));
    running.step({ type: 'tag-closed', wasReasoning: true } as never);
    running.step(answer('Yes'));
    running.step(answer('.'));
    running.step(finish('stop'));
    running.step(SERVICE_ENDED);
    await streamed;
    assert.equal(shown, 'Let me look.\n\nI think\n\nYes.');
  });

  it('says why and when it is tried again, once for each pause, also if two are the same', async () => {
    const running = createRunning();
    const streamed = streamTurn(running.conversations, 'mine', stream);
    const error = new ServiceError('rate-limited', { status: 429 });
    for (const [tries, waitMs] of [
      [1, 1000],
      [2, 2000],
      [3, 2000],
    ] as const) {
      running.step({ type: 'try', tries });
      running.step({ type: 'pause', tries, waitMs, error });
      running.step({ type: 'keep-alive' });
    }
    running.step({ type: 'try', tries: 4 });
    running.step(answer('So.'));
    running.step(finish('stop'));
    running.step(SERVICE_ENDED);
    await streamed;
    assert.deepEqual(
      steps,
      [1, 2, 2].map((seconds) => `Too many requests, retrying in ${seconds} s`),
    );
    assert.equal(shown, 'So.');
  });

  it('ends when its conversation is deleted', async () => {
    const running = createRunning();
    const streamed = streamTurn(running.conversations, 'mine', stream);
    running.remove();
    assert.equal(await streamed, undefined);
    assert.equal(running.isHeard(), false);
  });
});
