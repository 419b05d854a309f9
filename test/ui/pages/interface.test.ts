/** The chat by role and name, as screen readers and the tests of others find it: no name is read from the product. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { Locator } from 'playwright-core';
import type { Surroundings } from '../../../src/panel/surroundings.ts';
import type { ToolCallView, TurnView } from '../../../src/panel/views.ts';
import { type ChatPage, sharedChatPage } from '../../support/chatPage.ts';
import {
  cardView,
  exchangeView,
  proposalView,
  snapshotOf,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../support/views.ts';

const openPage = sharedChatPage();
let chat: ChatPage;

const named = (role: Parameters<Locator['getByRole']>[0], name: string | RegExp, within?: Locator) =>
  (within ?? chat.page).getByRole(role, { name, exact: true });
/** That exactly these buttons are in a part of the page, among others that the tables don't name. */
async function hasButtons(within: Locator, ...names: readonly string[]): Promise<void> {
  for (const name of names) assert.equal(await named('button', name, within).count(), 1, name);
}

const CHECKS = ['Model', 'Finish', 'Content', 'Usage'].map((name) => ({
  ...{ name, passed: name !== 'Finish', detail: name.toLowerCase() },
}));
async function show(
  turn: TurnView,
  answer = 'So.',
  around: Partial<Surroundings> = {},
  reasoning = 'Hm.',
): Promise<Locator> {
  chat = await openPage();
  const asked = exchangeView('e1', 'Why?', answer, turn);
  const exchange = { ...asked, attempts: 2, turn: asked.turn && { ...asked.turn, reasoning } };
  await chat.send(snapshotOf([exchange], { surroundings: surroundingsView(around) }));
  return named('article', /^svc-k3/);
}

describe('The transcript by role and name', () => {
  it('is a log of articles, with reasoning, answer, checks, attempts, and actions', async () => {
    const message = await show(turnView('truncated', { hasReasoning: true, checks: CHECKS }));
    assert.equal(await named('log', 'Conversation').count(), 1);
    const question = named('article', /^You/);
    await hasButtons(named('toolbar', 'Message actions', question), 'Edit');
    assert.equal(await message.getAttribute('data-outcome'), 'truncated');
    const reasoning = named('group', 'Reasoning', message);
    assert.equal(await reasoning.getByRole('button', { name: /^Reasoning/ }).count(), 1);
    assert.equal((await reasoning.locator('[data-part="reasoning"]').innerText()).trim(), 'Hm.');
    assert.equal((await message.locator('[data-part="answer"]').innerText()).trim(), 'So.');
    const checks = named('list', 'Response checks', message).getByRole('listitem');
    const said = (await checks.allTextContents()).map((text) => text.trim().split(/\s+/).slice(0, 2));
    assert.deepEqual(said, [
      ['Model', 'passed'],
      ['Finish', 'failedfinish'],
      ['Content', 'passed'],
      ['Usage', 'passed'],
    ]);
    await hasButtons(named('group', 'Attempts', message), 'Previous attempt', 'Next attempt');
    const actions = named('toolbar', 'Message actions', message);
    await hasButtons(actions, 'Copy', 'Regenerate', 'Fork', 'Open reasoning');
  });

  it('says each outcome', async () => {
    const outcomes = [
      ...(['complete', 'truncated', 'spent-on-reasoning', 'empty', 'filtered'] as const),
      ...(['interrupted', 'stalled', 'stopped', 'failed', 'running'] as const),
    ];
    chat = await openPage();
    await chat.send(snapshotOf(outcomes.map((one, at) => exchangeView(`e${at}`, 'Why?', '', turnView(one)))));
    const messages = await named('article', /^svc-k3/).all();
    const said = await Promise.all(messages.map((one) => one.getAttribute('data-outcome')));
    assert.deepEqual(said, outcomes);
  });

  it('has a card as alert when it needs the reader, else as status, with its buttons', async () => {
    const problem = {
      ...cardView('problem', 'Cut off'),
      actions: [{ action: 'continue', label: 'Continue' }] as const,
    };
    const message = await show(
      turnView('truncated', { cards: [problem, cardView('note', 'Less was cached')] }),
    );
    const alert = message.getByRole('alert');
    assert.match((await alert.allTextContents()).join('|'), /^[^|]*Cut off[^|]*$/);
    await hasButtons(alert, 'Continue');
    assert.equal(await message.getByRole('status').filter({ hasText: 'Less was cached' }).count(), 1);
  });

  it('has a proposal with its buttons and the numbers of its hunks', async () => {
    const message = await show(turnView('complete', { proposals: [proposalView()] }));
    const proposal = named('group', 'Proposal, a.ts', message);
    await hasButtons(proposal, 'Review', 'Open Diff', 'Accept all', 'Reject all');
    assert.equal(await proposal.getByText('1 open').count(), 1);
  });

  it('has a question of a command as what was asked, with the prompt in Details, and goes from message to message', async () => {
    chat = await openPage();
    const plain = exchangeView('e1', 'THE PROMPT', 'So.', turnView('complete'));
    const question = { ...plain.question, asked: 'Refactor: shorter' };
    await chat.send(snapshotOf([{ ...plain, question }]));
    const asked = named('article', /^You: Refactor: shorter/);
    assert.equal(await asked.getByText('Refactor: shorter').count(), 1);
    assert.equal(await asked.getByText('THE PROMPT').isVisible(), false);
    await named('button', 'Details', asked).click();
    await asked.getByText('THE PROMPT').waitFor();
    await named('textbox', 'Message').focus();
    const focused = () => chat.page.evaluate<string>('document.activeElement.getAttribute("aria-label")');
    for (const [key, name] of [
      ['Alt+ArrowUp', /^svc-k3/],
      ['Alt+ArrowUp', /^You/],
      ['Alt+ArrowDown', /^svc-k3/],
    ] as const) {
      await chat.page.keyboard.press(key);
      assert.match(await focused(), name);
    }
  });

  it('has code with its language and buttons', async () => {
    const message = await show(turnView('complete'), '```ts\nconst a = 1;\n```');
    await hasButtons(named('group', 'Code, ts', message), 'Copy', 'Insert at cursor', 'Apply', 'New file');
  });

  const withCalls = (...calls: ToolCallView[]) =>
    show(turnView('running', { phase: 'answering', rounds: [{ answer: '', calls }] }), '');

  it('has tool calls with their states, as one line, and those that wait with their buttons', async () => {
    for (const state of ['running', 'done', 'refused', 'failed', 'not-run'] as const) {
      const message = await withCalls(toolCallView({ state }));
      const call = named('group', 'Tool call, read_file', message);
      assert.equal(await call.getAttribute('data-state'), state);
      const line = named('button', 'read_file, Read a.ts', call);
      assert.notEqual(await line.getAttribute('aria-expanded'), null);
    }
    const message = await withCalls(toolCallView({ state: 'waiting', approval: 'a1' }));
    const waiting = named('group', 'Tool call, read_file', message);
    assert.equal(await waiting.getAttribute('data-state'), 'waiting');
    await hasButtons(waiting, 'Allow once', 'Allow in this conversation', 'Always allow', 'Refuse');
  });

  it('has several tool calls in a row in one group', async () => {
    const message = await withCalls(toolCallView(), toolCallView({ id: 'c2', name: 'list_files' }));
    const group = named('group', 'Used 2 tools', message);
    assert.equal(await group.getByRole('group', { name: /^Tool call, / }).count(), 2);
  });
});

describe('The message box by role and name', () => {
  it('has its buttons, lists, and the meter', async () => {
    await show(turnView('running'), '', {
      running: true,
      queue: [{ id: 'q', text: 'And?' }],
      attachments: [{ name: 'a.png', url: undefined, note: '', detail: '', busy: false }],
      meter: { value: 40, max: 100, text: '40 of 100 tokens, about $0.02' },
    });
    const box = named('textbox', 'Message');
    await box.fill('So?');
    await hasButtons(
      chat.page.locator('.composer'),
      ...['Send', 'Stop', 'Attach', 'Effort', 'Tools', 'Answer format', 'Preset'],
    );
    await hasButtons(named('list', 'Attachments'), 'Remove a.png');
    await hasButtons(named('list', 'Queued messages'), 'Remove And?');
    const meter = named('meter', 'Context');
    const values = ['aria-valuenow', 'aria-valuemax', 'aria-valuetext'].map((one) => meter.getAttribute(one));
    assert.deepEqual(await Promise.all(values), ['40', '100', '40 of 100 tokens, about $0.02']);
    await chat.send({ type: 'open-find' });
    assert.equal(await named('search', 'Find in conversation').count(), 1);
  });

  it('breaks a line with Shift+Enter, sends with Enter, stops with Escape, and edits the last message with Up', async () => {
    await show(turnView('complete'), 'So.', {});
    const box = named('textbox', 'Message');
    const posted = async () =>
      (await chat.posted()).map((one) => ('text' in one ? `${one.type} ${one.text}` : one.type));
    await box.focus();
    await chat.page.keyboard.type('a');
    await chat.page.keyboard.press('Shift+Enter');
    await chat.page.keyboard.type('b');
    assert.equal((await posted()).includes('send a\nb'), false);
    await chat.page.keyboard.press('Enter');
    assert.ok((await posted()).includes('send a\nb'));
    await show(turnView('running'), '', { running: true });
    await named('textbox', 'Message').focus();
    await chat.page.keyboard.press('Escape');
    assert.ok((await posted()).includes('stop'));
    await show(turnView('complete'), 'So.', {});
    await named('textbox', 'Message').focus();
    await chat.page.keyboard.press('ArrowUp');
    assert.equal(await chat.page.locator('article.you textarea').inputValue(), 'Why?');
  });
});

describe('What is announced', () => {
  it('is the phase, the end, and warnings, not every token', async () => {
    const announced = () => chat.page.locator('[data-part="announcement"]').innerText();
    await show(turnView('running', { phase: 'connecting', phaseLabel: 'Connecting' }), '', { running: true });
    const turnOf = (phase: TurnView['phase'], more: Partial<TurnView> = {}) =>
      chat.send({
        type: 'turn',
        turn: turnView(phase === 'ended' ? 'complete' : 'running', { phase, phaseLabel: phase, ...more }),
      } as const);
    await turnOf('reasoning');
    assert.equal(await announced(), 'Reasoning');
    await turnOf('answering');
    await chat.send({ type: 'text', turnId: 't1', reasoning: '', answer: 'One.' });
    assert.equal(await announced(), 'Answering');
    await turnOf('ended');
    assert.equal(await announced(), 'Done');
    await show(turnView('running', { phase: 'answering' }), '', { running: true });
    await turnOf('ended', { outcome: 'truncated', cards: [cardView('problem', 'Cut off')] });
    assert.equal(await announced(), 'Cut off');
  });
});
