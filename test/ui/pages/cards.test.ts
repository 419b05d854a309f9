/** The cards under an answer, on the page of the chat alone in a browser. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { CardView } from '../../../src/panel/cards.ts';
import { toFileProposal } from '../../../src/review/proposals/proposal.ts';
import { isTrue, sharedChatPage } from '../../support/chatPage.ts';
import { eventually } from '../../support/eventually.ts';
import { exchangeView, snapshotOf, turnView } from '../../support/views.ts';
import { withEditorStub } from '../../support/withEditorStub.ts';

const { toProposalViews } = await withEditorStub(
  () => import('../../../src/editor/proposals/proposalViews.ts'),
);
const openPage = sharedChatPage();

const card = (title: string, serviceWords?: string): CardView => ({
  tone: serviceWords === undefined ? 'note' : 'problem',
  title,
  body: [],
  facts: [],
  actions: [],
  serviceWords,
});

it('The response of the service stays open in its card when other cards come before it or go', async () => {
  const chat = await openPage();
  const [failed, other] = [
    card('The request failed', 'No such thing.'),
    card('The parts couldn’t be joined'),
  ];
  const turn = (...cards: readonly CardView[]) => turnView('failed', { cards });
  const update = (...cards: readonly CardView[]) => chat.send({ type: 'turn', turn: turn(...cards) });
  await chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turn(failed))]));
  const words = chat.page.locator('.service-words');
  assert.equal(await words.isVisible(), false);
  await chat.page.getByRole('button', { name: 'Service response' }).click();
  await words.waitFor();
  await update(other, failed);
  assert.equal(await words.isVisible(), true, 'behind another card');
  await update(failed);
  assert.equal(await words.isVisible(), true, 'alone again');
});

it('The response of the service is shown at first in a card that can’t say why, until the user closes it', async () => {
  const chat = await openPage();
  const failed = { ...card('The service rejected the request', 'No such thing.'), wordsFirst: true };
  const show = (answer: string) =>
    chat.send(snapshotOf([exchangeView('e1', 'Why?', answer, turnView('failed', { cards: [failed] }))]));
  await show('');
  const words = chat.page.getByText('No such thing.');
  await words.waitFor();
  await chat.page.getByRole('button', { name: 'Service response', expanded: true }).click();
  await words.waitFor({ state: 'hidden' });
  await show('Half.');
  await chat.page.getByText('Half.').waitFor();
  assert.equal(await words.isVisible(), false);
});

it('The card of a proposal for a file that doesn’t exist says why nothing was placed, and offers no diff of nothing', async () => {
  const chat = await openPage();
  const unplaced = [{ edit: { find: 'a', replace: 'b' }, reason: 'file-missing' as const }];
  const texts = {
    uri: 'file:///gone.txt',
    label: 'gone.txt',
    isNew: false,
    before: '',
    after: '',
    asked: undefined,
    unplaced,
  };
  const proposals = toProposalViews([
    {
      id: 'p',
      turnId: 't1',
      conversationId: 'c',
      createdAt: 0,
      files: [toFileProposal(texts)],
      trouble: undefined,
      revises: undefined,
    },
  ]);
  await chat.send(snapshotOf([exchangeView('e1', 'Change it.', '', turnView('complete', { proposals }))]));
  const shown = chat.page.locator('.proposal');
  assert.match(await shown.innerText(), /gone\.txt[\s\S]*nothing to review[\s\S]*the file doesn’t exist/);
  assert.equal(await shown.getByRole('button').count(), 0);
});

it('An answer that was cut off in its edits shows its explanation, and what arrived on demand, without buttons of code', async () => {
  const chat = await openPage();
  const received = '{"explanation": "As asked.", "files": [{"pa';
  const turn = turnView('stopped', { received });
  await chat.send(snapshotOf([exchangeView('e1', 'Change it.', 'As asked.', turn)]));
  const answer = chat.page.locator('article.k3');
  await answer.getByText('As asked.', { exact: true }).waitFor();
  assert.equal(await answer.getByText(received).count(), 0);
  await answer.getByRole('button', { name: 'Answer as it was received' }).click();
  await answer.getByText(received).waitFor();
  assert.equal(await answer.getByRole('button', { name: /Apply|Insert/ }).count(), 0);
});

it('An answer whose reasoning was counted and not sent says so where the reasoning would be, once it has ended', async () => {
  const chat = await openPage();
  const told = chat.page.getByText('1,200 tokens of reasoning were used, but their text wasn’t sent.');
  const facts = { reasoningTokens: 1200, reasoningTokensEstimated: false };
  const show = (turn: ReturnType<typeof turnView>) =>
    chat.send(snapshotOf([exchangeView('e1', 'Why?', '', turn)]));
  await show(turnView('running', facts));
  assert.equal(await told.count(), 0, 'it may still come');
  await show(turnView('complete', facts));
  await told.waitFor();
  await show(turnView('complete', { ...facts, reasoningTokensEstimated: true }));
  assert.equal(await told.count(), 0, 'nothing was counted');
  await show(turnView('complete', { ...facts, reasoningTokens: 0 }));
  assert.equal(await told.count(), 0);
  await show(turnView('complete', { ...facts, hasReasoning: true }));
  assert.equal(await told.count(), 0, 'there is reasoning');
});

describe('The problem of an answer', () => {
  // The page tells of each turn once, also if it has shown others since: each test has turns of its own.
  const seenIn = async (chat: Awaited<ReturnType<typeof openPage>>) =>
    (await chat.posted()).flatMap((message) => (message.type === 'seen' ? [message.turnId] : []));
  const paragraphs = (count: number) => Array.from({ length: count }, (_, at) => `Line ${at}.`).join('\n\n');
  const first = (answer: string, startedAt = 1) =>
    exchangeView(
      'e91',
      'Why?',
      answer,
      turnView('failed', { startedAt, cards: [card('The request failed')] }),
    );
  const last = (answer: string) =>
    exchangeView('e92', 'And?', answer, turnView('complete', { startedAt: 2 }));
  const scroll = (chat: Awaited<ReturnType<typeof openPage>>, top: number) =>
    chat.page.evaluate(`document.querySelector('.log').scrollTop = ${top}`);

  it('counts as seen when the user scrolls to the end, where it is', async () => {
    const chat = await openPage();
    await chat.page.bringToFront();
    const running = exchangeView('e81', 'Why?', paragraphs(60), turnView('running'));
    await chat.send(snapshotOf([running]));
    await chat.page.locator('.log').hover();
    await chat.page.mouse.wheel(0, -900);
    await isTrue(chat.page, "document.body.classList.contains('is-scrolled-up')");
    const cards = [card('The request failed')];
    await chat.send({ type: 'turn', turn: turnView('failed', { id: 't81', cards }) });
    assert.deepEqual(await seenIn(chat), []);
    await scroll(chat, 100_000);
    await eventually(async () => assert.deepEqual(await seenIn(chat), ['t81']));
  });

  it('counts as seen in another attempt for an earlier question, too, when the end of that is in view', async () => {
    const chat = await openPage();
    await chat.page.bringToFront();
    await chat.send(snapshotOf([first('So.', 1), last(paragraphs(60))]));
    assert.deepEqual(await seenIn(chat), ['t92']);
    const again = first('So.', 3);
    const attempt = { ...again, turn: again.turn && { ...again.turn, id: 't93' }, attempt: 1, attempts: 2 };
    await chat.send({ type: 'exchange', exchange: attempt });
    assert.deepEqual(await seenIn(chat), [], 'it is out of view');
    await scroll(chat, 0);
    await eventually(async () => assert.deepEqual(await seenIn(chat), ['t93']));
  });
});
