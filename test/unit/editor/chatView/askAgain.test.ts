/** What Continue sends for a turn with tool calls. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Question } from '../../../../src/conversation/question.ts';
import type { Turn } from '../../../../src/conversation/turn.ts';
import type { WaitingMessages } from '../../../../src/editor/chatView/waitingMessages.ts';
import type { Composer } from '../../../../src/editor/composer/composerState.ts';
import type { ImageIntake } from '../../../../src/editor/composer/imageIntake.ts';
import type { AttemptOptions } from '../../../../src/requests/conversationRequest.ts';
import { createDeferred } from '../../../../src/service/deferred.ts';
import { eventually } from '../../../support/eventually.ts';
import { NOT_RENAMED } from '../../../support/notRenamed.ts';
import { NOT_WAITING } from '../../../support/notWaiting.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';
import { calling, OF_A, runWith, toolboxOf } from '../../conversation/toolTurns.ts';
import {
  answer,
  conversationOf,
  DONE,
  exchangeOf,
  failedBy,
  finish,
  reasoning,
  turnOf,
} from '../../conversation/turns.ts';

const [{ createAskingAgain }, { createWaitingMessages }] = await withEditorStub(() =>
  Promise.all([
    import('../../../../src/editor/chatView/askAgain.ts'),
    import('../../../../src/editor/chatView/waitingMessages.ts'),
  ]),
);

/** The question and the options that Continue asks with. */
async function continued(turn: Turn): Promise<readonly [Question, AttemptOptions]> {
  const exchange = exchangeOf('Why?', turn);
  const asked: [Question, AttemptOptions][] = [];
  const { continueTurn } = createAskingAgain({
    conversations: {
      ask: async (_, question, options = {}) => {
        asked.push([question, options]);
        return { ok: true, turnId: 't2' };
      },
      askAgain: assert.fail,
      askInstead: assert.fail,
      find: () => undefined,
    },
    routes: { active: () => undefined },
    images: { shrink: async (images) => images },
    proposals: { ofTurn: () => [] },
    renames: NOT_RENAMED,
    waiting: NOT_WAITING,
  });
  await continueTurn({ conversation: conversationOf(exchange), exchange, turn }, () => undefined);
  return asked[0] ?? assert.fail('nothing was asked');
}

describe('Continue after tool calls', () => {
  const endingIn = async (...last: Parameters<typeof runWith>[0][number][]) => {
    const { turn } = await runWith([calling(['read', OF_A]), ...last], toolboxOf(['read']));
    assert.equal(turn.rounds.length, 1);
    return turn;
  };

  it('F1 continues from the reasoning behind the calls, with a larger budget if that was spent on it', async () => {
    const spent = await endingIn([reasoning('So far, one.'), finish('length'), DONE]);
    assert.equal(spent.outcome, 'spent-on-reasoning');
    const [question, { prompt, budget }] = await continued(spent);
    assert.deepEqual([question.text, question.continues], ['Continue.', spent.id]);
    assert.match(
      prompt ?? '',
      /^Continue\.\n\n[^<]*budget ended[^<]*<reasoning>\nSo far, one\.\n<\/reasoning>/,
    );
    assert.equal(budget, 262_144);
    const [, interrupted] = await continued(await endingIn([reasoning('So far, two.')]));
    assert.match(interrupted.prompt ?? '', /interrupted[^<]*<reasoning>\nSo far, two\.\n/);
    assert.equal(interrupted.budget, undefined);
  });

  it('asks for the rest alone if the answer has begun, or no reasoning was behind the calls', async () => {
    for (const last of [[reasoning('So.'), answer('One and '), finish('length')], []]) {
      const [, options] = await continued(await endingIn(last));
      assert.deepEqual(options, {});
    }
  });
});

/** A question about lines of a file, and how it is asked again. */
function prepare(
  waiting: Pick<WaitingMessages, 'until'>,
  read: (question: Question) => Promise<Question>,
  shrink: ImageIntake['shrink'] = async (images) => images,
) {
  const origin = { uri: 'file:///a.ts', startLine: 0, endLine: 0, text: 'let a;' };
  const exchange = {
    ...exchangeOf('Explain.', turnOf([failedBy('overloaded')])),
    question: { text: 'Explain.', images: [], origin },
  };
  const [turn = assert.fail()] = exchange.attempts;
  const found = { conversation: conversationOf(exchange), exchange, turn };
  const asked: AttemptOptions[] = [];
  const asking = createAskingAgain({
    conversations: {
      ...{ ask: assert.fail, askInstead: assert.fail },
      askAgain: async (_, options = {}) => {
        asked.push(options);
        return { ok: true, turnId: 't2' };
      },
      find: () => found,
    },
    routes: { active: () => undefined },
    images: { shrink },
    proposals: { ofTurn: () => [] },
    renames: { since: () => ({ uriNow: async (uri) => uri, withFilesNow: read }) },
    waiting,
  });
  const ways = [
    () => asking.again(turn.id),
    () => asking.retry(found, () => undefined),
    () => asking.continueTurn(found, () => undefined),
  ];
  return { ...asking, found, asked, ways, askSmaller: () => asking.askSmaller(found, () => undefined) };
}

describe('A question that is asked again while its file is on a drive that doesn’t answer', () => {
  it('is shown to wait, and isn’t asked when it is stopped', async () => {
    const composer = { waiting: false };
    const waiting = createWaitingMessages({ of: () => composer as Composer, changed: () => undefined });
    const never = () => new Promise<never>(() => undefined);
    const { found, asked, ways, askSmaller } = prepare(waiting, never, never);
    for (const way of [...ways, askSmaller]) {
      const asking = way();
      await eventually(async () => assert.equal(composer.waiting, true));
      waiting.stop(found.conversation.id);
      await asking;
      assert.deepEqual([composer.waiting, asked], [false, []]);
    }
  });
});

describe('A question that is asked again twice while its file is read', () => {
  it('is asked once, because the user may be asked about the file each time', async () => {
    const read = createDeferred<void>();
    const { asked, ways } = prepare(NOT_WAITING, async (question) => {
      await read.promise;
      return { ...question, origin: undefined };
    });
    const [way = assert.fail()] = ways;
    const both = [way(), ...ways.map((one) => one())];
    read.resolve();
    await Promise.all(both);
    assert.equal(asked.length, 1);
    await way();
    assert.equal(asked.length, 2);
  });

  it('is asked as the user has chosen last, with Ask Again With…', async () => {
    const read = createDeferred<void>();
    const { asked, again, found } = prepare(NOT_WAITING, async (question) => {
      await read.promise;
      return { ...question, origin: undefined };
    });
    const both = [again(found.turn.id), again(found.turn.id, { effort: 'max' })];
    read.resolve();
    await Promise.all(both);
    assert.deepEqual(
      asked.map(({ effort }) => effort),
      ['max'],
    );
  });
});

describe('A question that is asked with smaller images', () => {
  it('has them scaled once, and no longer after it is stopped', async () => {
    const signals: AbortSignal[] = [];
    const composer = { waiting: false };
    const waiting = createWaitingMessages({ of: () => composer as Composer, changed: () => undefined });
    const { askSmaller, found } = prepare(
      waiting,
      async () => assert.fail(),
      (_, signal) => {
        signals.push(signal);
        return new Promise(() => undefined);
      },
    );
    const asking = [askSmaller(), askSmaller()];
    waiting.stop(found.conversation.id);
    await Promise.all(asking);
    assert.deepEqual(
      signals.map(({ aborted }) => aborted),
      [true],
    );
  });
});

describe('A question about lines that is asked again', () => {
  it('reads them once, because the user may be asked about the file each time', async () => {
    let reads = 0;
    const { asked, ways } = prepare(NOT_WAITING, async (question) => {
      reads++;
      return { ...question, origin: undefined };
    });
    for (const way of ways) await way();
    assert.deepEqual([reads, asked.length], [3, 3]);
  });
});
