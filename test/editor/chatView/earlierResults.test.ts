/** A conversation whose earlier answers have more results of tools than fit into the context window beside a question. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolder } from '../../support/removeFolder.ts';
import { FULL, NOTE } from '../../unit/requests/fullConversation.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { shownRequest } from '../reports.ts';
import { type Scripted, startScripted, streamOf, until } from '../scripted.ts';
import { openWindow, type Page, type TestWindow } from './window.ts';

const YES = streamOf([{ reasoning: 'Hm.', answer: 'Yes.' }, { finish: 'stop' }], null);

describe('Results of earlier answers that nearly fill the context window', () => {
  leaveOutPreviews();
  let scripted: Scripted;
  let folder: string;
  let windows: TestWindow[];

  beforeEach(async () => {
    scripted = await startScripted();
    folder = await mkdtemp(join(tmpdir(), 'k3-full-'));
    windows = [];
  });
  afterEach(async () => {
    for (const window of windows) window.close();
    await scripted.close();
    await removeFolder(folder);
  });

  function open(place: string): TestWindow {
    const window = openWindow(scripted, folder, place);
    windows.push(window);
    return window;
  }

  async function ask(page: Page, text: string): Promise<readonly object[]> {
    const before = scripted.requests.length;
    scripted.will(YES);
    page.type(text);
    page.send();
    await until(() => scripted.requests.length > before && !page.shown().surroundings.running);
    return messagesOf(scripted.requests.at(-1)?.body ?? '');
  }

  const messagesOf = (body: string): readonly object[] => JSON.parse(body).messages;
  const notesIn = (messages: readonly object[]) => JSON.stringify(messages).split(NOTE).length - 1;
  const cardOf = (page: Page) => page.shown().exchanges.at(-1)?.turn?.cards[0] ?? assert.fail();

  it('are left out of the next question, in every window, with a card that takes it back', async () => {
    const here = open('project one');
    const { id } = here.conversations.current();
    for (const exchange of FULL.exchanges) here.conversations.append(id, exchange);
    const page = here.open(id);
    const { meter, banners } = page.shown().surroundings;
    assert.ok(meter.value < meter.max * 0.8);
    assert.match(meter.text, /Earlier tool results of about \d+K tokens are left out to make room$/);
    assert.deepEqual(banners, []);
    const third = await ask(page, 'Third?');
    assert.ok(notesIn(third) > 0);
    const card = cardOf(page);
    assert.equal(card.title, 'Some tool results are no longer sent');
    assert.match(card.body.join(' '), /results of earlier answers .* starting with this question/);
    assert.ok(card.facts.length > 5 && card.facts.every(({ value, label }) => label !== '?' || value === ''));
    assert.deepEqual(
      card.actions.map(({ label }) => label),
      ['Send them again'],
    );
    // Another window, which begins after that, as after a reload.
    const there = open('project two');
    const other = there.open(id);
    const fourth = await ask(other, 'Fourth?');
    assert.equal(JSON.stringify(fourth.slice(0, third.length)), JSON.stringify(third));
    await until(() => here.conversations.get(id)?.exchanges.length === 4);
    const turnId = here.conversations.get(id)?.exchanges[2]?.attempts[0]?.id;
    page.post({ type: 'action', action: 'send-results', turnId });
    await until(() => here.conversations.get(id)?.exchanges[2]?.question.keepsResults);
    assert.equal(notesIn(await ask(page, 'Fifth?')), 0);
  });

  it('are left out of the request that is shown, as it is sent', async () => {
    const { conversations } = scripted;
    const { id } = conversations.current();
    for (const exchange of FULL.exchanges) conversations.append(id, exchange);
    conversations.putDraft(id, 'Third?');
    await vscode.commands.executeCommand('k3.showRequest', id);
    const { body } = await shownRequest((json) => json.includes('Third?'));
    scripted.will(YES);
    await scripted.ask('Third?');
    const sent = scripted.requests[0]?.body ?? '';
    assert.equal(body, JSON.stringify(JSON.parse(sent)));
    assert.ok(notesIn(messagesOf(sent)) > 0);
  });
});
