/** One conversation in two panels of a window, and in two windows. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { WebviewMessage } from '../../../src/panel/webviewMessages.ts';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Scripted, startScripted, startStream, streamOf, until, writeDelta } from '../scripted.ts';
import { openWindow, type Page, type TestWindow } from './window.ts';

const ANSWERS = streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]);

describe('A conversation in two panels', () => {
  let scripted: Scripted;
  let folder: string;
  let windows: TestWindow[];
  let id: string;
  let side: Page;
  let tab: Page;
  /** The second window, with the same conversation. */
  let other: TestWindow;
  let elsewhere: Page;
  let requests: number;

  beforeEach(async () => {
    scripted = await startScripted();
    folder = await mkdtemp(join(tmpdir(), 'k3-panels-'));
    const here = openWindow(scripted, folder, 'project one');
    windows = [here];
    requests = 0;
    id = here.conversations.current().id;
    answerWith();
    const asked = await here.conversations.ask(id, { text: 'Is it?', images: [], origin: undefined });
    assert.ok(asked.ok);
    await until(() => here.conversations.find(asked.turnId)?.turn.outcome);
    side = here.open(id);
    tab = here.open(id);
    other = openWindow(scripted, folder, 'project two');
    windows.push(other);
    elsewhere = other.open(id);
  });
  afterEach(async () => {
    for (const window of windows) window.close();
    await scripted.close();
    await removeFolder(folder);
  });

  function answerWith(answer = ANSWERS): void {
    scripted.will((response, body) => {
      requests++;
      return answer(response, body);
    });
  }

  /** Starts an answer that goes on until `end` is called. */
  async function startAnswer(page: Page): Promise<{ end(): void }> {
    let running: ServerResponse | undefined;
    answerWith((response) => {
      running = response;
      startStream(response);
      writeDelta(response, { answer: 'Well' });
    });
    page.type('Go on?');
    page.send();
    await until(() => page.shown().surroundings.running && running);
    return {
      end() {
        if (running === undefined) return;
        writeDelta(running, { finish: 'stop' });
        running.end('data: [DONE]\n\n');
      },
    };
  }

  const questions = (page: Page) => page.shown().exchanges.map(({ question }) => question.text);
  const queue = (page: Page) => page.shown().surroundings.queue.map(({ text }) => text);
  const paused = (page: Page) => page.shown().surroundings.queuePaused;
  const banner = (page: Page) => page.shown().surroundings.banners[0];
  const isDeleted = (page: Page) => banner(page)?.text.includes('was deleted') === true;

  async function queueUp(page: Page, ...texts: readonly string[]): Promise<void> {
    for (const text of texts) {
      page.type(text);
      page.send();
      await until(() => queue(page).includes(text));
    }
  }

  describe('that is deleted', () => {
    it('says so in every panel, keeps what is typed there, and can be restored', async () => {
      tab.type('Half a thought');
      windows[0]?.conversations.delete(id);
      for (const page of [side, tab]) {
        assert.ok(isDeleted(page));
        assert.equal(banner(page)?.actions[0]?.action, 'restore');
        assert.deepEqual(questions(page), []);
      }
      tab.type('Half a thought, and more');
      tab.send();
      await until(() => tab.shown().surroundings.refusal);
      assert.match(tab.shown().surroundings.refusal ?? '', /was deleted/);
      assert.equal(requests, 1);
      tab.reload();
      assert.ok(isDeleted(tab));
      assert.equal(tab.box(), 'Half a thought, and more');
      tab.post({ type: 'action', action: 'restore', turnId: undefined });
      await until(() => questions(tab).length === 1);
      assert.deepEqual(questions(side), ['Is it?']);
      assert.deepEqual([side.box(), tab.box()], ['Half a thought, and more', 'Half a thought, and more']);
      assert.equal(banner(tab), undefined);
      assert.equal(tab.shown().surroundings.refusal, undefined);
      answerWith();
      tab.send();
      await until(() => questions(side).length === 2);
    });

    it('speaks of the message box only if something is written there', async () => {
      windows[0]?.conversations.delete(id);
      assert.equal(banner(side)?.text, '“Is it?” was deleted.');
      windows[0]?.conversations.restore(id);
      await until(() => banner(side) === undefined);
      side.type('Half a thought');
      windows[0]?.conversations.delete(id);
      assert.match(banner(side)?.text ?? '', /was deleted. The message box keeps its text.$/);
    });

    it('says so in the other window, which can restore it', async () => {
      windows[0]?.conversations.delete(id);
      await until(() => isDeleted(elsewhere));
      elsewhere.type('Typed in the other window');
      elsewhere.post({ type: 'action', action: 'restore', turnId: undefined });
      await until(() => questions(elsewhere).length === 1);
      await until(() => questions(side).length === 1);
      await until(() => side.box() === 'Typed in the other window');
    });

    it('stays open in the side bar of the other window, which says so', async () => {
      other.conversations.open(id);
      windows[0]?.conversations.delete(id);
      await until(() => isDeleted(elsewhere));
      assert.equal(other.conversations.current().id, id);
      // A second deletion, from that window, moves on.
      other.conversations.delete(id);
      assert.notEqual(other.conversations.current().id, id);
    });

    it('stops its answer, also in another window, and keeps its queue, which is paused when it is restored', async () => {
      await startAnswer(elsewhere);
      await queueUp(elsewhere, 'Then this');
      await until(() => queue(side).length === 1);
      side.post({ type: 'draft', text: 'A draft' });
      windows[0]?.conversations.delete(id);
      await until(() => isDeleted(elsewhere) && !elsewhere.shown().surroundings.running);
      assert.equal(other.conversations.isRunning(id), false);
      windows[0]?.conversations.restore(id);
      await until(() => questions(elsewhere).length === 2);
      await until(() => elsewhere.shown().exchanges[1]?.turn?.outcome !== 'running');
      assert.deepEqual([queue(side), queue(elsewhere)], [['Then this'], ['Then this']]);
      assert.deepEqual([paused(side), paused(elsewhere)], [true, true]);
      assert.equal(requests, 2);
    });

    it('does not run the tool that waits for an approval in another window, also when it is allowed late', async () => {
      const tool = {
        name: 'probe',
        description: 'Probes.',
        parameters: { type: 'object' },
        source: 'a test',
      };
      const { approvals } = scripted.tools;
      let ran = false;
      other.conversations.useTools((conversationId) => ({
        definitions: [tool],
        async run(call, signal, onState) {
          const waiting = { conversationId, call, tool };
          ran = await approvals.ask(waiting, signal, () => onState?.('waiting'));
          signal.throwIfAborted();
          return { text: 'Probed.' };
        },
      }));
      const call = { index: 0, id: 'call-1', type: 'function', function: { name: 'probe', arguments: '{}' } };
      answerWith(streamOf([{ calls: [call] }, { finish: 'tool_calls' }]));
      elsewhere.type('Probe it');
      elsewhere.send();
      await until(() => approvals.waiting().length === 1);
      const approval = approvals.waiting()[0]?.approval ?? '';
      windows[0]?.conversations.delete(id);
      await until(() => isDeleted(elsewhere) && !elsewhere.shown().surroundings.running);
      assert.deepEqual(approvals.waiting(), []);
      elsewhere.post({ type: 'tool-decision', approval, decision: 'once' });
      windows[0]?.conversations.restore(id);
      await until(() => questions(elsewhere).length === 2);
      assert.equal(ran, false);
      assert.equal(requests, 2);
    });

    it('is shown as deleted in a panel that is opened later, and can be restored there', async () => {
      windows[0]?.conversations.delete(id);
      const later = windows[0]?.open(id);
      assert.ok(later && isDeleted(later));
      later.post({ type: 'action', action: 'restore', turnId: undefined });
      later.post({ type: 'action', action: 'restore', turnId: undefined });
      await until(() => questions(later).length === 1);
      assert.deepEqual(questions(side), ['Is it?']);
    });

    it('keeps the text of an edited question that is sent at the same time', async () => {
      const [exchange] = side.shown().exchanges;
      assert.ok(exchange);
      windows[0]?.conversations.delete(id);
      side.post({ type: 'edit', exchangeId: exchange.id, text: 'Is it really?' });
      await until(() => side.box() === 'Is it really?');
      assert.equal(requests, 1);
    });

    it('keeps that text with its own conversation if the panel shows another one by then', async () => {
      const [exchange] = side.shown().exchanges;
      assert.ok(exchange);
      const here = windows[0];
      assert.ok(here);
      const next = here.conversations.create();
      here.conversations.delete(id);
      side.post({ type: 'edit', exchangeId: exchange.id, text: 'Is it really?' });
      side.panel.show(next.id);
      await until(() => here.composers.of(id).draft === 'Is it really?');
      await until(() => tab.box() === 'Is it really?');
      assert.deepEqual([side.shown().conversationId, side.box()], [next.id, '']);
    });
  });

  describe('that is not there any more, or can’t be read', () => {
    let here: TestWindow;
    let next: string;
    beforeEach(() => {
      assert.ok(windows[0]);
      here = windows[0];
      next = here.conversations.unused().id;
      here.conversations.open(next);
      const { get } = here.conversations;
      Object.assign(here.conversations, { get: (one: string) => (one === id ? undefined : get(one)) });
    });

    it('keeps a message that is sent in it, in the conversation that is shown instead', async () => {
      tab.send();
      await until(() => tab.shown().conversationId === next);
      assert.equal(tab.box(), '', 'there was nothing to keep');
      // Its page has no newer snapshot yet.
      side.post({ type: 'send', text: 'And why?' });
      await until(() => side.shown().conversationId === next);
      await until(() => side.box() === 'And why?');
      assert.deepEqual([here.composers.of(next).draft, requests], ['And why?', 1]);
    });

    it('keeps a draft and an edited question, each once', async () => {
      side.post({ type: 'draft', text: 'Half a thought' });
      await until(() => side.box() === 'Half a thought');
      // The page sends the draft of the conversation that it leaves.
      received(side, { type: 'draft', text: 'Half a thought' });
      tab.post({ type: 'edit', exchangeId: 'any', text: 'Is it really?' });
      await until(() => side.box() === 'Half a thought\nIs it really?');
      assert.equal(requests, 1);
    });

    it('keeps a draft that the page sends when it is already shown another conversation, once', async () => {
      side.post({ type: 'find', words: 'yes' });
      tab.post({ type: 'find', words: 'yes' });
      await until(() => [side, tab].every((page) => page.shown().conversationId === next));
      received(side, { type: 'draft', text: 'Half a thought' });
      received(tab, { type: 'draft', text: 'Half a thought' });
      await until(() => side.box() === 'Half a thought');
      tab.post({ type: 'edit', exchangeId: 'any', text: 'Is it really?' }, id);
      await until(() => side.box() === 'Half a thought\nIs it really?');
      assert.equal(here.composers.of(next).draft, side.box());
    });

    const received = (page: Page, message: WebviewMessage) => page.post(message, id);
  });

  describe('that another window answers', () => {
    it('shows no other version of a question meanwhile, which would hide the answer there', async () => {
      answerWith();
      side.post({ type: 'edit', exchangeId: side.shown().exchanges[0]?.id ?? '', text: 'Is it really?' });
      await until(() => questions(elsewhere)[0] === 'Is it really?');
      await until(() => !side.shown().surroundings.running);
      const answer = await startAnswer(elsewhere);
      await until(() => questions(side).length === 2);
      const show = () =>
        side.post({ type: 'show-version', exchangeId: side.shown().exchanges[0]?.id ?? '', version: 0 });
      await until(() => side.shown().surroundings.elsewhere);
      show();
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual(questions(side), ['Is it really?', 'Go on?']);
      answer.end();
      await until(() => !elsewhere.shown().surroundings.running && !banner(side));
      assert.equal(side.shown().surroundings.elsewhere, false);
      show();
      await until(() => questions(side)[0] === 'Is it?');
      await until(() => questions(elsewhere)[0] === 'Is it?');
    });
  });

  describe('with queued messages', () => {
    it('shows one queue in all panels and windows', async () => {
      const answer = await startAnswer(side);
      await queueUp(side, 'One', 'Two');
      assert.deepEqual(queue(tab), ['One', 'Two']);
      await until(() => queue(elsewhere).length === 2);
      assert.deepEqual([paused(side), paused(tab), paused(elsewhere)], [false, false, false]);
      const [first] = elsewhere.shown().surroundings.queue;
      assert.ok(first);
      elsewhere.post({ type: 'remove-queued', id: first.id });
      await until(() => queue(side).length === 1);
      answerWith();
      answer.end();
      await until(() => questions(tab).length === 3);
      assert.deepEqual(questions(side), ['Is it?', 'Go on?', 'Two']);
      await until(() => queue(elsewhere).length === 0);
    });

    it('is paused after Stop, and a new message waits behind the others', async () => {
      await startAnswer(side);
      await queueUp(side, 'One');
      tab.post({ type: 'stop' });
      await until(() => !side.shown().surroundings.running);
      await until(() => paused(side) && paused(tab));
      tab.type('Two');
      tab.send();
      await until(() => queue(side).length === 2);
      assert.equal(requests, 2);
      assert.deepEqual(queue(tab), ['One', 'Two']);
      answerWith();
      answerWith();
      side.post({ type: 'send-queue' });
      await until(() => questions(tab).length === 4);
      assert.deepEqual(questions(tab), ['Is it?', 'Go on?', 'One', 'Two']);
      await until(() => !side.shown().surroundings.running);
      assert.equal(requests, 4);
    });

    it('can be cleared, in every panel', async () => {
      await startAnswer(side);
      await queueUp(side, 'One', 'Two');
      side.post({ type: 'stop' });
      await until(() => paused(tab));
      tab.post({ type: 'clear-queue' });
      await until(() => queue(side).length === 0);
      await until(() => queue(elsewhere).length === 0);
      assert.equal(requests, 2);
    });

    it('sends a message once, when both windows send it', async () => {
      await startAnswer(side);
      await queueUp(side, 'One');
      side.post({ type: 'stop' });
      await until(() => paused(side) && paused(elsewhere));
      answerWith();
      answerWith();
      side.post({ type: 'send-queue' });
      elsewhere.post({ type: 'send-queue' });
      await until(() => questions(side).length === 3 && questions(elsewhere).length === 3);
      await until(() => !side.shown().surroundings.running && !elsewhere.shown().surroundings.running);
      // What was sent later, by the window that shows a queue of before, has nothing to send.
      elsewhere.post({ type: 'send-queue' });
      await new Promise((resolve) => setTimeout(resolve, 200));
      assert.deepEqual([queue(side), queue(elsewhere)], [[], []]);
      assert.equal(requests, 3);
    });
  });

  describe('with a draft', () => {
    it('shows the same text in each panel, and clears it in all when it is sent in one', async () => {
      side.type('Half a');
      assert.equal(tab.box(), 'Half a');
      tab.type('Half a thought');
      assert.equal(side.box(), 'Half a thought');
      await until(() => elsewhere.box() === 'Half a thought');
      answerWith();
      side.send();
      await until(() => questions(tab).length === 2);
      await until(() => side.box() === '' && tab.box() === '');
      await until(() => elsewhere.box() === '');
    });

    it('keeps it when the conversation is renamed, and shows it in a panel that is opened later', () => {
      side.type('Half a thought');
      windows[0]?.conversations.rename(id, 'Another title');
      assert.deepEqual([side.box(), tab.box()], ['Half a thought', 'Half a thought']);
      const later = windows[0]?.open(id);
      assert.equal(later?.box(), 'Half a thought');
    });

    it('keeps it in all panels when it is refused', async () => {
      side.type('');
      await startAnswer(elsewhere);
      await until(() => banner(side));
      tab.type('Me too');
      tab.send();
      await until(() => side.shown().surroundings.refusal);
      assert.deepEqual([side.box(), tab.box()], ['Me too', 'Me too']);
    });
  });
});
