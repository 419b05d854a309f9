/** The main use with the emulator: ask, watch the reasoning, read the answer, see the cost. */
import assert from 'node:assert/strict';
import { before, describe, it } from 'mocha';
import type { Frame, Locator } from 'playwright-core';
import { createDeferred } from '../../../src/service/deferred.ts';
import { answerInput } from '../../support/answerInput.ts';
import { clickUntilItArrives } from '../../support/arrivingClick.ts';
import { CANARY } from '../../support/canary.ts';
import {
  answerEnded,
  askQuestion,
  clickInMenu,
  clickNewConversation,
  enterText,
  focusChat,
  lastAnswerOf,
  newConversation,
  openInput,
  openInTab,
  outcomeOf,
  pickRoute,
  sendQuestion,
  switchRouteTo,
} from '../../support/chatDriver.ts';
import type { ExpectedOutcome } from '../../support/emulatorOutcomes.ts';
import { eventually } from '../../support/eventually.ts';
import { inSteps } from '../../support/leftovers.ts';
import { emulator, SHOWN, scripted, settings, workbench } from './stage.ts';

let chat: Frame;

const switchRoute = (name: string) => switchRouteTo(workbench, chat, name);

async function startAnew(scenario: string): Promise<void> {
  chat = await newConversation(workbench);
  if ((await chat.locator('.route').innerText()) !== scenario) await switchRoute(scenario);
}

/** Starts a conversation with other settings. */
async function startWith(next: Record<string, unknown>): Promise<void> {
  await workbench.updateSettings(next);
  chat = await newConversation(workbench);
  await chat.getByRole('textbox', { name: 'Message' }).waitFor();
}

const send = (question: string) => sendQuestion(chat, question);
const lastAnswer = () => lastAnswerOf(chat);
const ended = (within?: number) => answerEnded(chat, within);
const ask = (question: string) => askQuestion(chat, question);

/** Asks Why? about the sentence with these words. */
const pickWhy = (text: string): Promise<void> =>
  answerInput(workbench, 'Why? Select a sentence', () => workbench.runCommand('K3: Why?'), {
    text,
    row: text,
  });

/** Those whose buttons are selected, too: see the actions of a card. */
const WITH_ACTIONS: readonly string[] = ['spent-on-reasoning', 'truncate'];

const focusName = () => chat.evaluate<string>("document.activeElement?.ariaLabel ?? ''");

/** After a test that failed, the last answer may not be a whole one, or there may be none. */
async function haveAnswer(): Promise<void> {
  const answers = chat.locator('article[data-outcome]');
  const isWhole = (await answers.count()) > 0 && (await outcomeOf(answers.last())) === 'complete';
  if (!isWhole) await ask('Explain src/greeting.ts once more');
}

describe('A question in the chat', () => {
  before(async () => {
    chat = await focusChat(workbench);
  });

  it('shows the reasoning before the answer, then the checks and the usage', async () => {
    // With the button of the view. The others use its command.
    chat = await newConversation(workbench, () => clickNewConversation(workbench));
    // The questions of this conversation go over a gateway, most others over a direct route.
    await switchRoute('through');
    await send('Explain src/greeting.ts');
    await chat.locator('[data-part="reasoning"]').waitFor({ state: 'attached' });
    const answer = await ended();
    assert.equal(await outcomeOf(answer), 'complete');
    assert.ok((await answer.locator('[data-part="reasoning"]').textContent())?.length);
    assert.ok((await answer.locator('[data-part="answer"]').innerText()).includes('demo'));
    const checks = answer.getByRole('list', { name: 'Response checks' }).getByRole('listitem');
    await eventually(async () =>
      assert.deepEqual(
        (await checks.allInnerTexts()).map((text) => text.replace(/\s+/g, ' ').trim()),
        ['Model passed', 'Finish passed', 'Content passed', 'Usage passed'],
      ),
    );
    await workbench.page.locator('.statusbar-item', { hasText: /tokens.*\$/ }).waitFor();
  });

  const log = () => chat.getByRole('log', { name: 'Conversation' });
  const below = () =>
    log().evaluate((element) => element.scrollHeight - element.scrollTop - element.clientHeight);

  it('scrolls with the answer, unless the user scrolls up', async () => {
    await ask('And once more, please');
    await eventually(async () => assert.ok((await below()) < 24, 'at the end'));
    await log().hover();
    await workbench.page.mouse.wheel(0, -200);
    await eventually(async () => assert.ok((await below()) > 100, 'away from the end'));
    await chat.getByRole('button', { name: 'Scroll to bottom' }).click();
    await eventually(async () => assert.ok((await below()) < 24, 'at the end again'));
  });

  it('scrolls with the answer while the focus is elsewhere in the editor', async () => {
    await send('Explain src/greeting.ts once more');
    await workbench.page.keyboard.press('F1');
    await ended();
    await eventually(async () => assert.ok((await below()) < 24, 'at the end'));
    await workbench.page.keyboard.press('Escape');
  });

  it('expands the reasoning on a click, and keeps it expanded', async () => {
    await haveAnswer();
    const disclosure = lastAnswer().getByRole('button', { name: 'Reasoning', exact: true });
    await disclosure.and(chat.locator('[aria-expanded="false"]')).click();
    await lastAnswer().locator('[data-part="reasoning"]').waitFor({ state: 'visible' });
    await disclosure.and(chat.locator('[aria-expanded="true"]')).waitFor();
  });

  it('lists the steps in the Reasoning view', async () => {
    const rows = workbench.page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row');
    await rows.nth(2).waitFor();
  });

  it('answers Why? with a key: the step is marked in the chat and selected in the Reasoning view', async () => {
    await haveAnswer();
    const words = lastAnswer().locator('[data-part="answer"] code', { hasText: 'src/greeting.ts' }).last();
    await words.selectText();
    await words.scrollIntoViewIfNeeded();
    await chat.getByRole('button', { name: 'Why?', exact: true }).waitFor();
    await lastAnswer().focus();
    await workbench.page.keyboard.press('Control+k');
    await workbench.page.keyboard.press('y');
    const step = chat.locator('.step.is-current');
    await step.waitFor();
    const title = /^Step \d+: (.*)$/.exec(
      (await step.getByRole('button').getAttribute('aria-label')) ?? '',
    )?.[1];
    await workbench.page.locator('.monaco-list-row.selected', { hasText: title ?? '?' }).waitFor();
    for (const [strength, icon] of [
      ['strong', 'circle-filled'],
      ['weak', 'circle-outline'],
    ] as const) {
      const marked = workbench.page.locator(`.monaco-list-row .codicon-${icon}`);
      await eventually(async () => {
        const count = await chat.locator(`.step.is-${strength}`).count();
        assert.equal(await marked.count(), count, strength);
      });
    }
    await step.locator('.step-body').click({ button: 'right' });
    await clickInMenu(workbench.page.getByRole('menuitem', { name: 'Show in Answer' }));
    await chat.locator('.why', { hasText: /places? mentions? this step/ }).waitFor();
    await eventually(async () => assert.ok(await chat.evaluate('document.hasFocus()')));
    await workbench.page.keyboard.press('Escape');
    await chat.locator('.why').waitFor({ state: 'detached' });
  });

  it('lets the user choose a sentence to ask about, and search the steps', async () => {
    await haveAnswer();
    const { page } = workbench;
    await chat.evaluate('getSelection().removeAllRanges()');
    await pickWhy('mentions these files');
    await chat.locator('.step.is-current').waitFor();
    await eventually(async () => assert.match(await focusName(), /^Step/));
    await page.keyboard.press('Escape');
    await chat.locator('.why').waitFor({ state: 'detached' });
    const search = () => workbench.runCommand('K3: Search Reasoning…');
    const text = 'answers the question and nothing else';
    await answerInput(workbench, 'Search Reasoning', search, { text, row: text });
    await eventually(async () => assert.match(await focusName(), /^Step .: Checking the plan/));
  });

  it('shows the map of the turn, whose parts lead to their steps by keyboard', async () => {
    await haveAnswer();
    await workbench.runCommand('K3: Show Turn Map');
    await eventually(async () => assert.match(await focusName(), /^Waiting for the service/));
    await workbench.page.keyboard.press('ArrowRight');
    // Steps that took no time have no part.
    const [step = ''] = await eventually(
      async () => /Step \d(?=: .*, about \d+ tokens$)|^\d+ more/.exec(await focusName()) ?? assert.fail(),
    );
    await workbench.page.keyboard.press('Enter');
    const leadsTo = step.startsWith('Step') ? `${step}: ` : 'Step 1: ';
    await eventually(async () => {
      const name = await focusName();
      assert.ok(name.startsWith(leadsTo) && !name.endsWith('tokens'), name);
    });
    await chat.getByRole('group', { name: 'Map' }).getByRole('button', { name: 'Close' }).click();
    await chat.locator('.map').waitFor({ state: 'detached' });
  });

  it('R11 starts the second request with the same bytes as the first', async () => {
    await haveAnswer();
    const first = emulator.requests.at(-1)?.body ?? '';
    await ask('And why is that?');
    const second = emulator.requests.at(-1)?.body ?? '';
    const prefix = first.slice(0, first.indexOf(']', first.indexOf('"messages"')));
    assert.ok(prefix.length > 40 && second.startsWith(prefix), `${prefix}\n${second}`);
    assert.ok(second.includes('reasoning_content'));
  });

  it('shows the same content after the panel was hidden, and continues meanwhile', async () => {
    const before = await chat.locator('article').count();
    const text = 'It goes on while nobody looks at it.';
    const hidden = createDeferred<void>();
    let sent = '';
    const onSent = (piece: string) => {
      sent += piece;
    };
    scripted.respondWith(text, { until: hidden.promise, onSent });
    await switchRoute('scripted');
    await send('A question for which I do not wait');
    const above = async () => (await chat.locator('article').allTextContents()).slice(0, before);
    const shown = await above();
    try {
      // On a busy machine, the first command was seen to show nothing.
      await eventually(async () => {
        await workbench.execute('workbench.view.explorer');
        await workbench.page.locator('.explorer-folders-view').waitFor({ timeout: 5000 });
      });
      assert.notEqual(sent, text, 'the answer is still running');
    } finally {
      hidden.resolve();
    }
    await eventually(() => assert.equal(sent, text));
    chat = await focusChat(workbench);
    const answer = await ended();
    assert.equal(await outcomeOf(answer), 'complete');
    assert.equal((await answer.locator('[data-part="answer"]').innerText()).trim(), text);
    assert.ok(before > 0);
    await eventually(async () => assert.deepEqual(await above(), shown));
  });

  it('stops on a click and keeps the received text', async () => {
    await startAnew('slow-reasoning');
    await send('Think for long');
    await lastAnswer().locator('[data-part="reasoning"]').waitFor({ state: 'attached' });
    await chat.getByRole('button', { name: 'Stop', exact: true }).click();
    assert.equal(await outcomeOf(await ended()), 'stopped');
  });
});

/** The conversation of the first one is that of the others, too. */
describe('The chat in an editor tab', () => {
  inSteps();
  const tab = (title: string) => workbench.page.locator('.tab', { hasText: title });

  it('shows the same conversation as the side bar', async () => {
    await startAnew('plain');
    await ask('In a tab, please');
    await openInTab(workbench);
    await tab('In a tab, please').waitFor();
    await eventually(async () => {
      const shown = await Promise.all(
        workbench.page.frames().map((frame) =>
          frame
            .locator('article')
            .count()
            .catch(() => 0),
        ),
      );
      assert.equal(shown.filter((count) => count === 2).length, 2);
    });
    await eventually(async () => {
      const hasFocus = 'document.hasFocus() && document.activeElement?.matches("textarea")';
      const [side, ...all] = await Promise.all(
        [chat, ...workbench.page.frames()].map((frame) => frame.evaluate(hasFocus).catch(() => false)),
      );
      assert.deepEqual([side, all.includes(true)], [false, true], 'the message box of the tab has the focus');
    });
    await workbench.screenshot('tab');
    // In the chat that had the focus last, and only there.
    await pickWhy('You asked');
    const barsOf = (frame: Frame) => frame.locator('.why').count();
    await eventually(async () => {
      const bars = await Promise.all(workbench.page.frames().map((frame) => barsOf(frame).catch(() => 0)));
      assert.deepEqual([bars.filter((count) => count > 0).length, await barsOf(chat)], [1, 0]);
    });
  });

  it('names a tab after its conversation, also when that is renamed, or another one is shown there', async () => {
    const input = await openInput(workbench, 'Rename Conversation', () =>
      workbench.runCommand('K3: Rename Conversation…'),
    );
    const box = input.locator('input[type="text"]').first();
    await eventually(async () => assert.equal(await box.inputValue(), 'In a tab, please'));
    await box.fill('The first tab');
    await box.press('Enter');
    await tab('The first tab').waitFor();
    await workbench.runCommand('K3: New Conversation');
    await tab('New conversation').waitFor();
    await workbench.execute('workbench.action.closeAllEditors');
  });

  it('begins a new conversation with the button in the title of its tab, also when the side bar had the focus', async () => {
    await openInTab(workbench);
    await tab('The first tab').waitFor();
    await focusChat(workbench);
    // The toolbar is drawn again when the focus moves.
    const button = '.editor-actions .action-label[aria-label^="New Conversation"]';
    await clickUntilItArrives(workbench.page.locator(button), button, 'click');
    await tab('New conversation').waitFor();
    await workbench.execute('workbench.action.closeAllEditors');
    const chat = await focusChat(workbench);
    await chat.getByText('In a tab, please').first().waitFor();
  });
});

/** What the reader is told about an answer: its outcome, its card with a button, and its problem. */
async function isTold(answer: Locator, expected: ExpectedOutcome): Promise<void> {
  assert.equal(await outcomeOf(answer), expected.outcome);
  const { scenario, card, button, problem } = expected;
  if (card !== undefined)
    await eventually(async () =>
      assert.match(await answer.locator('.card').first().innerText({ timeout: 1000 }), card),
    );
  if (button !== undefined) await answer.getByRole('button', { name: button, exact: true }).first().waitFor();
  if (problem !== undefined) {
    const problems = workbench.page.locator('.markers-panel');
    if (!(await problems.isVisible())) await workbench.execute('workbench.panel.markers.view.focus');
    await problems.locator(`.marker-code:has-text("${problem}")`).first().waitFor();
  }
  if (card !== undefined) await workbench.screenshot(`outcome-${scenario}`);
}

const shownAs = (name: string): ExpectedOutcome =>
  SHOWN.find(({ scenario }) => scenario === name) ?? assert.fail(name);

describe('Each kind of failure has its own card and problem', () => {
  before(async () => {
    await workbench.updateSettings(settings({ 'k3.timeouts': { answering: 0.05 } }));
    // One conversation for all.
    chat = await newConversation(workbench);
  });

  for (const expected of SHOWN.filter(({ scenario }) => !WITH_ACTIONS.includes(scenario))) {
    it(`${expected.scenario}: ${expected.outcome}`, async () => {
      await switchRoute(expected.scenario);
      await isTold(await ask(`What about ${expected.scenario}?`), expected);
    });
  }

  it('shows in the map how long no data came', async () => {
    const isStalled = (await outcomeOf(lastAnswer())) === 'stalled';
    const answer = isStalled ? lastAnswer() : await ask('What takes so long?');
    assert.equal(await outcomeOf(answer), 'stalled');
    await workbench.execute('k3.showTurnMap');
    await answer.getByRole('button', { name: /^No data, / }).waitFor();
    await workbench.screenshot('map-stalled');
  });

  it('counts down before a retry, which can be canceled', async () => {
    await switchRoute('limited');
    await send('Too much at once');
    await chat.getByRole('button', { name: 'Cancel', exact: true }).waitFor();
    await workbench.screenshot('countdown');
    await chat.getByRole('button', { name: 'Cancel', exact: true }).click();
    assert.equal(await outcomeOf(await ended()), 'stopped');
  });
});

describe('The actions of a card', () => {
  it('shows steps in the Reasoning view if the reasoning is hidden, for Why? and from the map', async () => {
    const { page } = workbench;
    await startWith(settings({ 'k3.reasoning.inChat': 'hidden' }));
    await ask('Explain src/greeting.ts');
    await pickWhy('You asked');
    await chat.locator('.why', { hasText: 'mention' }).waitFor();
    const selected = page.locator('.pane:has([aria-label^="Reasoning"]) .monaco-list-row.selected');
    await selected.locator('.codicon-circle-filled').waitFor();
    await workbench.execute('k3.showTurnMap');
    // Parts that are too narrow are joined, and lead to the first of them.
    const part = chat
      .locator('.map')
      .getByRole('button', { name: /Step [2-9]: / })
      .last();
    await part.click();
    const title = /Step \d: ([\w ]+)/.exec((await part.getAttribute('aria-label')) ?? '')?.[1];
    await selected.filter({ hasText: title ?? '?' }).waitFor();
    assert.equal(await chat.locator('[data-part="reasoning"]').count(), 0);
  });

  it('F1 retry with a larger budget, as a second attempt', async () => {
    await startWith(settings({ 'k3.maxCompletionTokens': 40 }));
    const spent = await ask('Explain the whole of it');
    await isTold(spent, shownAs('spent-on-reasoning'));
    await spent.getByRole('button', { name: 'Retry with a larger budget' }).click();
    await chat.getByRole('group', { name: 'Attempts' }).waitFor();
    assert.equal(await outcomeOf(await ended()), 'complete');
    await chat.getByRole('button', { name: 'Previous attempt' }).click();
    await chat.locator('article[data-outcome="spent-on-reasoning"]').waitFor();
  });

  it('F2 continue an answer that was cut off', async () => {
    await startWith(settings());
    await startAnew('truncate');
    const cut = await ask('A long story');
    await isTold(cut, shownAs('truncate'));
    await pickRoute(workbench, chat, 'plain');
    await cut.getByRole('button', { name: 'Continue', exact: true }).click();
    await chat.locator('article[data-outcome]').nth(1).waitFor();
    const whole = await ended();
    assert.equal(await outcomeOf(whole), 'complete');
    await whole.getByText('Joined from 2 parts').waitFor();
    const text = await eventually(async () => {
      const now = await whole.locator('[data-part="answer"]').innerText();
      assert.match(now, /^This is a demo answer[\s\S]*You asked: “A long story”[\s\S]*answer\.text/);
      return now;
    });
    await whole.getByRole('group', { name: 'Code, ts' }).waitFor();
    // The first part is folded, and can still be read as it came.
    const first = chat.locator('article[data-outcome="truncated"]');
    await first.getByRole('status').getByText('The answer was cut off. Continued below.').waitFor();
    await first.getByRole('alert').waitFor({ state: 'detached' });
    await first.locator('[data-part="answer"]').waitFor({ state: 'detached' });
    await first.getByRole('button', { name: /^First part of the answer/ }).click();
    await eventually(async () => {
      const part = await first.locator('[data-part="answer"]').innerText({ timeout: 1000 });
      assert.ok(part !== '' && text.startsWith(part.slice(0, 30)), part);
    });
    // Its words lead to its reasoning, and a step of that to the whole answer.
    await whole.locator('[data-part="answer"] p', { hasText: 'You asked' }).selectText();
    await whole.focus();
    await workbench.page.keyboard.press('Control+k');
    await workbench.page.keyboard.press('y');
    await first.locator('.step.is-cited').first().waitFor();
    await workbench.page
      .locator('.monaco-list-row .codicon-circle-filled, .monaco-list-row .codicon-circle-outline')
      .first()
      .waitFor();
  });
});

/** That it is nowhere else is checked when the workbench is closed, as after all other tests (`keySearch.ts`). */
describe('An API key that is entered', () => {
  it('is used for its route, and can be removed from the secret storage', async () => {
    await startAnew('plain');
    await workbench.runCommand('K3: Set API Key…');
    const box = workbench.page.locator('.quick-input-widget:visible input[type="password"]');
    await box.fill(CANARY);
    await box.press('Enter');
    await box.waitFor({ state: 'hidden' });
    assert.equal(await outcomeOf(await ask('Does it work?')), 'complete');
    await workbench.runCommand('K3: Clear API Key');
    await workbench.page.getByText('was removed from secret storage').first().waitFor();
  });
});

describe('A question that cannot be sent', () => {
  it('names the wrong setting and stays in the message box', async () => {
    await startWith(settings({ 'k3.prices': { input: -1 } }));
    await enterText(chat.getByRole('textbox', { name: 'Message' }), 'Will this be kept?');
    await chat.getByRole('button', { name: 'Send', exact: true }).click();
    await chat.locator('.refusal', { hasText: 'k3.prices.input' }).waitFor();
    assert.equal(await chat.getByRole('textbox', { name: 'Message' }).inputValue(), 'Will this be kept?');
  });

  it('shows what to do without a route, which the demo does not need', async () => {
    await startWith({});
    await chat.getByText('No route yet').waitFor();
    await workbench.screenshot('no-route');
    await chat.getByRole('button', { name: 'Try the Demo (No Key)' }).click();
    await chat.getByRole('button', { name: 'Demo', exact: true }).waitFor();
    assert.equal(await outcomeOf(await ask('Hello, demo')), 'complete');
  });
});
