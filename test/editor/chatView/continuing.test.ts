import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import type { Question } from '../../../src/conversation/question.ts';
import type { Turn } from '../../../src/conversation/turn.ts';
import { type CardActions, createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { toCards } from '../../../src/editor/chatView/turnCards.ts';
import { toWholeAnswer } from '../../../src/requests/wholeAnswer.ts';
import { DEFAULT_PRICES } from '../../../src/service/prices.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { type Answer, ended, type Scripted, startScripted, streamOf, USAGE, until } from '../scripted.ts';

const CODE = 'one\ntwo\nthree\nfour\nfive\n';

const partOf = (answer: string, finish: string) => streamOf([{ answer }, { finish }]);

describe('An answer that was cut off and continued', () => {
  let scripted: Scripted;
  let folder: vscode.Uri;
  let document: vscode.TextDocument;
  let bodies: Record<string, unknown>[];

  beforeEach(async () => {
    scripted = await startScripted();
    bodies = [];
    const [root] = vscode.workspace.workspaceFolders ?? [];
    assert.ok(root);
    folder = vscode.Uri.joinPath(root.uri, `continuing-${Date.now()}`);
    const uri = vscode.Uri.joinPath(folder, 'code.txt');
    await vscode.workspace.fs.writeFile(uri, Buffer.from(CODE));
    document = await vscode.workspace.openTextDocument(uri);
  });
  afterEach(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
    await vscode.workspace.fs.delete(folder, { recursive: true });
  });

  const path = () => vscode.workspace.asRelativePath(document.uri);
  const last = () => scripted.conversations.current().exchanges.at(-1);
  const records =
    (answer: Answer): Answer =>
    (response, body) => {
      bodies.push(JSON.parse(body));
      return answer(response, body);
    };

  /** Asks, and returns the turn of the first part, which is cut off. */
  async function cut(answer: string, beside: Partial<Question>): Promise<Turn> {
    scripted.will(records(partOf(answer, 'length')));
    const { conversations } = scripted;
    const question = { text: 'Do it.', images: [], origin: undefined, ...beside };
    const sent = await conversations.ask(conversations.current().id, question);
    assert.ok(sent.ok);
    const turn = await ended(conversations, sent.turnId);
    assert.equal(turn.outcome, 'truncated');
    return turn;
  }

  /** Runs Continue as its quick fix does, and returns the turn of the next part. */
  async function goOn(turn: Turn, answer: string, finish = 'stop'): Promise<Turn> {
    scripted.will(records(partOf(answer, finish)));
    await vscode.commands.executeCommand('_k3.performFix', turn.id, 'truncated', 'continue');
    const next = await until(() => {
      const newest = last()?.attempts.at(-1);
      return newest?.id === turn.id ? undefined : newest;
    });
    return ended(scripted.conversations, next.id);
  }

  /** The codes of the problems of this conversation. */
  const codes = () =>
    vscode.languages
      .getDiagnostics()
      .filter(([{ query }]) => query === `conversation=${scripted.conversations.current().id}`)
      .flatMap(([, diagnostics]) => diagnostics.map(({ code }) => code));
  const origin = () => ({
    uri: document.uri.toString(),
    startLine: 1,
    endLine: 3,
    text: 'two\nthree\nfour\n',
  });
  const afterOf = (turnId: string) =>
    until(() => scripted.proposals.ofTurn(turnId)[0]).then(({ files }) => files[0]?.after);
  const edits = () =>
    JSON.stringify({
      explanation: 'The third number is written as a digit.',
      files: [{ path: path(), edits: [{ find: 'three', replace: '3 (the number three)' }] }],
    });

  it('is asked for in the same form, with the same tools, after the same messages', async () => {
    const answer = edits();
    const turn = await cut(answer.slice(0, 60), { purpose: 'proposal', origin: origin() });
    await goOn(turn, answer.slice(60));
    const [first, second] = bodies;
    assert.ok(first?.['response_format']);
    assert.deepEqual(second?.['response_format'], first['response_format']);
    assert.deepEqual(second?.['tools'], first['tools']);
    const before = first['messages'] as unknown[];
    const after = second?.['messages'] as { role: string; content: string }[];
    assert.deepEqual(after.slice(0, before.length), before);
    assert.deepEqual(
      after.slice(before.length).map(({ role }) => role),
      ['assistant', 'user'],
    );
    assert.equal(after[before.length]?.content, answer.slice(0, 60));
  });

  it('becomes a proposal of its joined JSON, cut once or twice, with repeated words', async () => {
    const answer = edits();
    const first = await cut(answer.slice(0, 50), { purpose: 'proposal', origin: origin() });
    const second = await goOn(first, answer.slice(30, answer.length - 25), 'length');
    const third = await goOn(second, answer.slice(-25));
    assert.equal(await afterOf(third.id), CODE.replace('three', '3 (the number three)'));
    assert.deepEqual(scripted.proposals.ofTurn(second.id), []);
  });

  it('becomes a proposal of its joined code block, whose fence the model opened again', async () => {
    const first = await cut('So:\n\n```txt\ntwo\n3 (the num', { purpose: 'proposal', origin: origin() });
    const second = await goOn(first, '```txt\nber three)\nfour\n```\n');
    assert.equal(await afterOf(second.id), CODE.replace('three', '3 (the number three)'));
  });

  it('becomes findings in the lines that the first question asked about', async () => {
    const finding = {
      file: path(),
      startLine: 3,
      endLine: 3,
      severity: 'error',
      claim: 'It is a word, not a digit.',
      evidence: 'three',
      edit: null,
    };
    const answer = JSON.stringify({ summary: 'One problem.', findings: [finding] });
    await vscode.window.showTextDocument(document);
    scripted.will(records(partOf(answer.slice(0, 90), 'length')));
    await vscode.commands.executeCommand('k3.reviewFile');
    const id = await until(() => last()?.attempts.at(-1)?.id);
    const second = await goOn(await ended(scripted.conversations, id), answer.slice(90));
    const placements = await until(() => scripted.findings.placementsOf(second.id));
    assert.deepEqual(placements, [{ placed: true, startLine: 2, endLine: 2 }]);
    assert.equal(scripted.findings.list().length, 1);
  });

  it('makes no proposal of parts that do not fit together', async () => {
    const first = await cut('{"explanation": "So.", ', { purpose: 'proposal', origin: origin() });
    const second = await goOn(first, 'I am sorry, I do not remember.');
    await new Promise((resolve) => setTimeout(resolve, 300));
    assert.equal(scripted.proposals.ofTurn(second.id).flatMap(({ files }) => files).length, 0);
  });

  it('has a card that offers to ask for the rest again if its parts do not fit together', async () => {
    const first = await cut('{"explanation": "So.", ', { purpose: 'proposal', origin: origin() });
    const second = await goOn(first, 'I am sorry, I do not remember.');
    const { exchanges } = scripted.conversations.current();
    const question = last()?.question ?? assert.fail();
    const [card] = toCards(second, {
      earlier: first,
      prices: DEFAULT_PRICES,
      last: true,
      proposals: () => [],
      images: 'none',
      turnOf: () => undefined,
      titleOf: ({ name }) => name,
      goesOn: () => false,
      whole: (turn) => toWholeAnswer(exchanges, question, turn),
    });
    assert.equal(card?.title, 'The parts of the answer couldn’t be joined');
    assert.equal(card.tone, 'problem');
    assert.deepEqual(
      card.actions.map(({ action }) => action),
      ['retry'],
    );
  });

  it('is checked as one JSON text against its format', async () => {
    const answer = JSON.stringify({ list: ['one', 'two', 'three'] }, null, 2);
    const first = await cut(answer.slice(0, 30), { format: { kind: 'json' } });
    await goOn(first, `\`\`\`json\n${answer.slice(30)}\n\`\`\``);
    // The check runs after the end of the turn.
    await new Promise((resolve) => setTimeout(resolve, 1000));
    await until(() => codes().length === 0);
    assert.deepEqual(bodies[1]?.['response_format'], bodies[0]?.['response_format']);
    assert.deepEqual(bodies[1]?.['tools'], bodies[0]?.['tools']);
  });

  it('is a problem again when its rest fails, is left for another version, or another attempt is shown', async () => {
    const { conversations } = scripted;
    const { id } = conversations.current();
    const first = await cut('One and ', {});
    assert.deepEqual(codes(), ['truncated']);
    const second = await goOn(first, 'two.');
    assert.deepEqual(codes(), []);
    // Another attempt of the rest fails, and the one before is shown again.
    scripted.will((response) => void response.writeHead(404).end('{}'));
    const failing = await conversations.askAgain(second.id);
    assert.ok(failing.ok);
    await ended(conversations, failing.turnId);
    assert.deepEqual(codes(), ['truncated', 'failed']);
    conversations.showAttempt(id, last()?.id ?? '', 0);
    assert.deepEqual(codes(), []);
    // Another attempt of the first part is shown, which nothing continues.
    scripted.will(partOf('Everything.', 'length'));
    const again = await conversations.askAgain(first.id);
    assert.ok(again.ok);
    await ended(conversations, again.turnId);
    assert.deepEqual(codes(), ['truncated']);
    const [part] = conversations.current().exchanges;
    conversations.showAttempt(id, part?.id ?? '', 0);
    assert.deepEqual(codes(), []);
    // The question that asks for the rest is edited, so it asks for something else.
    scripted.will(partOf('Three.', 'stop'));
    const rest = last() ?? assert.fail();
    const edited = await conversations.askInstead(id, rest.id, {
      text: 'And?',
      images: [],
      origin: undefined,
    });
    assert.ok(edited.ok);
    await ended(conversations, edited.turnId);
    assert.deepEqual(codes(), ['truncated']);
    conversations.showBranch(id, rest.id);
    assert.deepEqual(codes(), []);
  });

  describe('with its card', () => {
    let cards: CardActions;
    let composed: string[];
    /** As in a window that has just begun. */
    function begin(): void {
      cards = createCardActions({
        waiting: NOT_WAITING,
        log: { warn: assert.fail },
        conversations: scripted.conversations,
        routes: scripted.routes,
        composers: { compose: (_, text) => void composed.push(text) },
        images: { shrink: async (images) => images },
        structured: { perform: async () => undefined },
        proposals: { ofTurn: () => [] },
        renames: NOT_RENAMED,
      });
    }
    beforeEach(() => {
      composed = [];
      begin();
    });
    afterEach(() => cards.dispose());

    it('is continued once, also if another panel still offers it', async () => {
      const first = await cut('One and ', {});
      await goOn(first, 'two.');
      await cards.perform('continue', first.id);
      assert.equal(scripted.conversations.current().exchanges.length, 2);
    });

    it('is continued from the reasoning of all attempts before, and the model is told why they ended', async () => {
      const { conversations } = scripted;
      const reasonsUntil = (reasoning: string, finish?: string) =>
        records(streamOf([{ reasoning }, ...(finish === undefined ? [] : [{ finish }])]));
      scripted.will(reasonsUntil('First, one.', 'length'));
      const question = { text: 'Count.', images: [], origin: undefined };
      const sent = await conversations.ask(conversations.current().id, question);
      assert.ok(sent.ok);
      await ended(conversations, sent.turnId);
      for (const reasoning of ['Then two.', 'Then three.']) {
        scripted.will(reasonsUntil(reasoning));
        const before = last()?.attempts.at(-1) ?? assert.fail();
        await cards.perform('continue', before.id);
        const newest = await until(
          () => last()?.attempts.at(-1)?.id !== before.id && last()?.attempts.at(-1),
        );
        assert.equal((await ended(conversations, newest.id)).outcome, 'interrupted');
      }
      const [, second, third] = bodies.map(({ messages }) =>
        String((messages as { content: string }[]).at(-1)?.content),
      );
      assert.match(
        second ?? '',
        /^Count\.\n\n.*the output budget ended[^<]*<reasoning>\nFirst, one\.\n<\/reasoning>/,
      );
      assert.match(
        third ?? '',
        /^Count\.\n\n.*you were interrupted before[^<]*<reasoning>\nFirst, one\.\n\nThen two\.\n<\/reasoning>/,
      );
    });

    it('is asked again with the reasoning that it continued by Retry and with a larger budget, and without it by Regenerate', async () => {
      const { conversations } = scripted;
      const prompts = () =>
        bodies.map(({ messages }) => String((messages as { content: string }[]).at(-1)?.content));
      async function next(act: (id: string) => Promise<void>, answer: Answer) {
        scripted.will(records(answer));
        const before = last()?.attempts.at(-1) ?? assert.fail();
        await act(before.id);
        const newest = await until(
          () => last()?.attempts.at(-1)?.id !== before.id && last()?.attempts.at(-1),
        );
        await ended(conversations, newest.id);
      }
      const usage = { ...USAGE, completion_tokens: 262_144 };
      const spent = (reasoning: string) => streamOf([{ reasoning }, { finish: 'length' }], usage);
      scripted.will(spent('First, one.'));
      await scripted.ask('Count.');
      await next((id) => cards.perform('continue', id), spent('Then two.'));
      await next((id) => cards.perform('retry-larger', id), streamOf([{ reasoning: 'Then 2.' }]));
      await next((id) => cards.perform('retry', id), partOf('One, two.', 'stop'));
      await next((id) => cards.again(id), partOf('One.', 'stop'));
      const [continued, larger, retried, anew] = prompts();
      assert.match(continued ?? '', /^Count\.\n\n[^<]*<reasoning>\nFirst, one\.\n<\/reasoning>/);
      assert.deepEqual([larger, retried, anew], [continued, continued, 'Count.']);
      assert.deepEqual(
        bodies.slice(0, 2).map((body) => body['max_completion_tokens']),
        [262_144, 524_288],
      );
    });

    it('is a summary that was asked for again, with which a new conversation starts once', async () => {
      scripted.will(partOf('Fine.', 'stop'));
      await scripted.ask('Something.');
      const { id } = scripted.conversations.current();
      scripted.will(
        streamOf([{ reasoning: 'What was it?' }]),
        partOf('The task is to count.', 'stop'),
        partOf('The task is to stop.', 'stop'),
      );
      await cards.perform('summarize', undefined, id);
      const failed = await ended(scripted.conversations, last()?.attempts[0]?.id ?? '');
      assert.equal(failed.outcome, 'interrupted');
      await cards.perform('retry', failed.id);
      await until(() => composed.length > 0);
      assert.match(composed[0] ?? '', /The task is to count\./);
      await cards.again(failed.id);
      await until(() => scripted.conversations.find(failed.id)?.exchange.attempts.at(-1)?.outcome);
      assert.equal(composed.length, 1);
    });

    for (const isReloaded of [false, true])
      it(`is a summary in all its parts, with which a new conversation starts${isReloaded ? ' in the next window' : ''}`, async () => {
        await cut('Something.', {});
        const { id } = scripted.conversations.current();
        const rest = partOf('to stop at ten.', 'stop');
        scripted.will(
          partOf('The task is to count, ', 'length'),
          ...(isReloaded
            ? [partOf('to count, and to stop ', 'length'), rest]
            : [partOf('to count, and to stop at ten.', 'stop')]),
        );
        await cards.perform('summarize', undefined, id);
        for (let cuts = isReloaded ? 2 : 1; cuts > 0; cuts--) {
          const part = await ended(scripted.conversations, last()?.attempts[0]?.id ?? '');
          if (isReloaded) {
            cards.dispose();
            begin();
          }
          await cards.perform('continue', part.id);
        }
        await until(() => composed.length > 0);
        assert.match(composed[0] ?? '', /The task is to count, and to stop at ten\./);
      });

    it('is a summary that was interrupted with its window, with which a new conversation starts once in the next one', async () => {
      scripted.will(partOf('Fine.', 'stop'));
      await scripted.ask('Something.');
      const { id } = scripted.conversations.current();
      scripted.will(
        streamOf([{ reasoning: 'What was it?' }]),
        partOf('The task is to count.', 'stop'),
        partOf('The task is to stop.', 'stop'),
      );
      await cards.perform('summarize', undefined, id);
      const failed = await ended(scripted.conversations, last()?.attempts[0]?.id ?? '');
      // The chat of the window shows the new one.
      const newest = () => scripted.conversations.get(id)?.exchanges.at(-1)?.attempts.at(-1);
      for (const answer of ['to count', 'to stop']) {
        cards.dispose();
        begin();
        await cards.again(failed.id);
        await until(() => newest()?.answer.includes(answer));
        await ended(scripted.conversations, newest()?.id ?? '');
      }
      assert.deepEqual(
        composed.map((text) => /The task is to \w+/.exec(text)?.[0]),
        ['The task is to count'],
      );
    });
  });
});
