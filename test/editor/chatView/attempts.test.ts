/** A question that is asked again on another route or with another effort, and attempts side by side. */
import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type CardActions, createCardActions } from '../../../src/editor/chatView/cardActions.ts';
import { NOT_RENAMED } from '../../support/notRenamed.ts';
import { NOT_WAITING } from '../../support/notWaiting.ts';
import { type Asking, watchModals } from '../modals.ts';
import {
  ended,
  type Scripted,
  startScripted,
  startStream,
  streamOf,
  until,
  writeDelta,
} from '../scripted.ts';

describe('Another attempt', () => {
  let scripted: Scripted;
  let asking: Asking;
  let offered: readonly string[];
  const { showQuickPick } = vscode.window;
  const settings = () => vscode.workspace.getConfiguration('k3');

  beforeEach(async () => {
    scripted = await startScripted((baseUrl) => ({
      second: { kind: 'direct', baseUrl, model: 'svc-k3-mini' },
      keyless: { kind: 'gateway', baseUrl: 'http://127.0.0.1:9/other' },
    }));
    asking = watchModals();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick });
    asking.restore();
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
  });

  const select = (wanted: string) =>
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly vscode.QuickPickItem[]) {
        offered = items.map(({ label }) => label);
        return items.find(({ label }) => label === wanted);
      },
    });
  const answer = (text: string) =>
    streamOf([{ reasoning: `About ${text}.`, answer: text }, { finish: 'stop' }]);
  const exchange = () => scripted.conversations.current().exchanges[0] ?? assert.fail();
  async function askAgainWith(wanted: string): Promise<void> {
    select(wanted);
    const before = exchange().attempts.length;
    scripted.will(answer(wanted));
    await vscode.commands.executeCommand('k3.askElsewhere');
    const turn = await until(() => exchange().attempts[before]);
    await ended(scripted.conversations, turn.id);
  }
  const bodies = () => scripted.requests.map(({ body }) => JSON.parse(body));

  it('is asked on the route that is selected, and the active route stays', async () => {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    await askAgainWith('second');
    assert.deepEqual(offered, [
      ...['Route', 'second', 'keyless', 'Reasoning effort', 'high', 'low', 'max'],
      ...['Preset', 'Ask', 'Plan', 'Review'],
    ]);
    const [first, second] = bodies();
    assert.deepEqual([first.model, second.model], ['svc-k3', 'svc-k3-mini']);
    assert.deepEqual(second.messages, first.messages);
    assert.deepEqual(
      exchange().attempts.map(({ request }) => request.routeName),
      ['scripted', 'second'],
    );
    assert.equal(settings().get('route'), 'scripted');
  });

  it('is asked with the effort that is selected, and then again with the default', async () => {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    await askAgainWith('low');
    await askAgainWith('Default');
    assert.deepEqual(
      bodies().map((body) => body.reasoning_effort),
      [undefined, 'low', undefined],
    );
    assert.equal(settings().get('reasoningEffort'), null);
  });

  it('is asked with the preset that is selected, and sent so with the next question', async () => {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    await askAgainWith('Plan');
    scripted.will(answer('later'));
    await scripted.ask('And?');
    const [first, planned, later] = bodies();
    const [{ content }] = planned.messages;
    assert.match(content, /^Make a plan, and change nothing yet\.[\s\S]+\n\nWhy\?$/);
    assert.deepEqual([planned.reasoning_effort, planned.tools], ['max', first.tools]);
    assert.equal(later.messages[0].content, content, 'later requests begin with the same bytes');
    assert.equal(later.messages.at(-1).content, 'And?');
  });

  describe('with another route or effort', () => {
    let cards: CardActions;
    beforeEach(() => {
      cards = createCardActions({
        waiting: NOT_WAITING,
        log: { warn: assert.fail },
        conversations: scripted.conversations,
        routes: scripted.routes,
        composers: { compose: () => undefined },
        images: { shrink: async (images) => images },
        structured: { perform: async () => undefined },
        proposals: { ofTurn: () => [] },
        renames: NOT_RENAMED,
      });
    });
    afterEach(() => cards.dispose());

    const models = () => bodies().map(({ model }) => model);
    const efforts = () => bodies().map(({ reasoning_effort }) => reasoning_effort);

    /** Runs a card's action on the last turn, and returns when the turn that it begins has ended. */
    async function perform(action: 'retry' | 'continue', finish = 'stop'): Promise<void> {
      const turnOf = () => scripted.conversations.current().exchanges.at(-1)?.attempts.at(-1);
      const before = turnOf()?.id;
      scripted.will(streamOf([{ answer: 'More.' }, { finish }]));
      await cards.perform(action, before);
      const turn = await until(() => (turnOf()?.id === before ? undefined : turnOf()));
      await ended(scripted.conversations, turn.id);
    }

    it('is tried again, and continued, with them', async () => {
      scripted.will(answer('first'));
      await scripted.ask('Why?');
      await askAgainWith('low');
      await askAgainWith('second');
      await perform('retry', 'length');
      await perform('continue');
      const [mini, low] = ['svc-k3-mini', 'low'];
      assert.deepEqual(models(), ['svc-k3', 'svc-k3', mini, mini, mini]);
      assert.deepEqual(efforts(), [undefined, low, low, low, low]);
    });

    it('is tried again on the route that the user has switched to since', async () => {
      scripted.will(answer('first'));
      await scripted.ask('Why?');
      await askAgainWith('second');
      const third = { kind: 'direct', baseUrl: scripted.baseUrl, model: 'svc-k3-third' };
      const routes = { ...settings().get<object>('routes'), third };
      await settings().update('routes', routes, vscode.ConfigurationTarget.Global);
      await settings().update('route', 'third', vscode.ConfigurationTarget.Global);
      await perform('retry');
      assert.deepEqual(models(), ['svc-k3', 'svc-k3-mini', 'svc-k3-third']);
    });
  });

  it('says that a route has no key, and changes nothing', async () => {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    select('keyless');
    await vscode.commands.executeCommand('k3.askElsewhere');
    assert.match(asking.notes.at(-1) ?? '', /Route “keyless” has no API key/);
    assert.equal(scripted.requests.length, 1);
    assert.equal(exchange().attempts.length, 1);
  });

  it('is compared while it runs, and says only afterwards which figures were not reported', async () => {
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    let finishIt = () => {};
    scripted.will(async (response) => {
      startStream(response);
      writeDelta(response, { answer: 'second' });
      await new Promise<void>((resolve) => {
        finishIt = resolve;
      });
      writeDelta(response, { finish: 'stop' });
      response.end('data: [DONE]\n\n');
    });
    select('second');
    await vscode.commands.executeCommand('k3.askElsewhere');
    const turn = await until(() => {
      const running = exchange().attempts[1];
      return running?.phase === 'answering' ? running : undefined;
    });
    await vscode.commands.executeCommand('k3.compareAttempts');
    const shown = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    const document = await vscode.workspace.openTextDocument(shown.modified);
    assert.match(document.getText(), /^# Attempt 2\n- Outcome: Answering\n[\s\S]*- Route: second \(direct\)/);
    assert.match(document.getText(), /- Input tokens: …\n[\s\S]*- Cost: …\n/);
    finishIt();
    await ended(scripted.conversations, turn.id);
    await until(() => /- Input tokens: not reported\n/.test(document.getText()) || undefined);
  });

  it('is compared in a tab whose title has the beginning of the question, as it was written', async () => {
    scripted.will(answer('first'));
    await scripted.ask('What does nextDeparture in src/timetable.ts return?');
    await askAgainWith('low');
    await vscode.commands.executeCommand('k3.compareAttempts');
    const title = 'What does nextDeparture in sr…: attempt 1 ↔ attempt 2';
    const titles = () => vscode.window.tabGroups.all.flatMap(({ tabs }) => tabs.map(({ label }) => label));
    await until(() => titles().includes(title) || undefined);
    await vscode.commands.executeCommand('workbench.action.closeActiveEditor');
    const low = exchange().attempts[1]?.id;
    await vscode.commands.executeCommand('k3.compareAttempts', { webviewSection: 'message', turnId: low });
    const shown = await until(() => {
      const input = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return input instanceof vscode.TabInputTextDiff ? input : undefined;
    });
    const text = (await vscode.workspace.openTextDocument(shown.modified)).getText();
    assert.match(text, /\n- Parameters: The effort may have been ignored\n/);
  });

  it('is compared with the one before it in a diff of answers, reasoning, and figures', async () => {
    scripted.conversations.create();
    await vscode.commands.executeCommand('k3.compareAttempts');
    assert.equal(asking.notes.at(-1), 'There is no answer yet.');
    scripted.will(answer('first'));
    await scripted.ask('Why?');
    await vscode.commands.executeCommand('k3.compareAttempts');
    assert.match(asking.notes.at(-1) ?? '', /^There is only one attempt\./);
    await askAgainWith('second');
    // As a context menu in the chat gives it.
    const message = { webviewSection: 'message', turnId: exchange().attempts[0]?.id };
    await vscode.commands.executeCommand('k3.compareAttempts', message);
    const input = await until(() => {
      const shown = vscode.window.tabGroups.activeTabGroup.activeTab?.input;
      return shown instanceof vscode.TabInputTextDiff ? shown : undefined;
    });
    const texts = await Promise.all(
      [input.original, input.modified].map(async (uri) => {
        // After a reload, the editor opens tabs again whose documents are in a file system.
        assert.equal(vscode.workspace.fs.isWritableFileSystem(uri.scheme), false);
        return (await vscode.workspace.openTextDocument(uri)).getText();
      }),
    );
    const [left = '', right = ''] = texts;
    const { question, id } = exchange();
    scripted.will(answer('edited'));
    const edited = await scripted.conversations.askInstead(scripted.conversations.current().id, id, question);
    assert.ok(edited.ok);
    // Reads the text again.
    const hidden = await vscode.workspace.openTextDocument(input.original.with({ fragment: 'again' }));
    assert.equal(hidden.getText(), left, 'on a branch that isn’t shown');
    assert.match(
      left,
      /^# Attempt 1\n- Outcome: Complete\n[\s\S]*- Model: passed \(svc-k3\)\n- Finish: passed \(stop\)\n[\s\S]*- Route: scripted \(direct\)\n[\s\S]*\nfirst\n```\n## Reasoning\n```md\nAbout first\.\n/,
    );
    assert.doesNotMatch(left, /- Model: svc-k3|- Finish reason:/, 'the checks have said it');
    assert.match(right, /^# Attempt 2\n[\s\S]*- Route: second \(direct\)\n[\s\S]*\nsecond\n```\n/);
    // The editor's own preview of Markdown, one beside the other.
    await vscode.commands.executeCommand('k3.renderAttempts');
    const previews = await until(() => {
      const tabs = vscode.window.tabGroups.all.flatMap(({ activeTab }) => activeTab?.input ?? []);
      const custom = tabs.flatMap((one) => (one instanceof vscode.TabInputCustom ? [one] : []));
      return custom.length === 2 ? custom : undefined;
    });
    assert.deepEqual(
      previews.map(({ viewType, uri }) => [viewType, uri.query]),
      [input.original, input.modified].map(({ query }) => ['vscode.markdown.preview.editor', query]),
    );
    const rendered = await vscode.workspace.openTextDocument(previews[0]?.uri ?? input.original);
    assert.match(rendered.getText(), /^# Attempt 1\n## Answer\nfirst\n## Reasoning\nAbout first\./);
    scripted.conversations.delete(scripted.conversations.current().id);
    await until(() => rendered.getText() === 'This turn no longer exists.' || undefined);
    const document = await vscode.workspace.openTextDocument(input.original);
    await until(() => document.getText() === 'This turn no longer exists.' || undefined);
  });
});
