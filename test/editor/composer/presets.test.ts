/** Choose Preset…, from the setting to the request that would be sent. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { OWN_PRESETS } from '../../../src/requests/presets.ts';
import { leaveOutPreviews } from '../leftOut.ts';
import { type Asking, watchModals } from '../modals.ts';
import { reportText } from '../reports.ts';
import { type Scripted, setForUser, startScripted, streamOf } from '../scripted.ts';

const set = (value: unknown) => setForUser('k3', 'presets', value);

describe('Presets', () => {
  leaveOutPreviews();
  let scripted: Scripted;
  let asking: Asking;
  let offered: readonly vscode.QuickPickItem[];
  let hint: string | undefined;
  const { showQuickPick, createQuickPick } = vscode.window;

  before(async () => {
    scripted = await startScripted();
  });
  beforeEach(() => {
    asking = watchModals();
    scripted.conversations.create();
  });
  afterEach(async () => {
    Object.assign(vscode.window, { showQuickPick, createQuickPick });
    asking.restore();
    await set(undefined);
  });
  after(async () => {
    await vscode.commands.executeCommand('workbench.action.closeAllEditors');
    await scripted.close();
  });

  async function choose(label: string): Promise<void> {
    const choice = (items: readonly vscode.QuickPickItem[], words: string | undefined) => {
      offered = items;
      hint = words;
      return items.find((item) => item.label === label);
    };
    Object.assign(vscode.window, {
      async showQuickPick(items: readonly vscode.QuickPickItem[], options: vscode.QuickPickOptions) {
        return choice(items, options.placeHolder);
      },
      // The list begins at another preset than the first one.
      createQuickPick() {
        const [accepted, never] = [new vscode.EventEmitter<void>(), new vscode.EventEmitter<void>()];
        const list = {
          items: [] as readonly vscode.QuickPickItem[],
          placeholder: undefined as string | undefined,
          selectedItems: [] as readonly unknown[],
          onDidAccept: accepted.event,
          onDidTriggerButton: never.event,
          onDidHide: never.event,
          dispose: () => undefined,
          show() {
            list.selectedItems = [choice(list.items, list.placeholder)];
            accepted.fire();
          },
        };
        return list;
      },
    });
    await vscode.commands.executeCommand('k3.choosePreset');
  }
  const current = () => scripted.conversations.current();
  const chosen = (id = current().id) => scripted.conversations.unsent(id).preset;
  /** Waits until the next request, as it is shown, has these lines after the list of tools. */
  async function nextRequestHas(pattern: RegExp): Promise<void> {
    await vscode.commands.executeCommand('k3.showRequest');
    await reportText('Next Request', (text) => pattern.test(text.split('"messages": [')[1] ?? ''));
  }

  it('are ours, and those of the user; one that is wrong names its field and can’t be chosen', async () => {
    await set({ Terse: { prompt: 'Be brief.', effort: 'low' }, Review: null, Bad: { effort: 'huge' } });
    await choose('Bad');
    assert.deepEqual(
      offered.map(({ label }) => label),
      ['No preset', 'Ask', 'Plan', 'Terse', 'Bad', '', 'Edit Presets'],
    );
    const why = /k3\.presets\.Bad\.effort: “huge” is not a valid value/;
    assert.match(offered[4]?.detail ?? '', why);
    assert.match(asking.notes.at(-1) ?? '', why);
    assert.deepEqual([offered[3]?.description, offered[3]?.detail], ['effort low', 'Be brief.']);
    assert.equal(chosen(), undefined);
  });

  it('belong to their conversation and its forks, and go with the next request as it is shown', async () => {
    const { id } = current();
    await choose('Plan');
    assert.deepEqual([chosen(id), hint], ['Plan', 'Applies to your next messages.']);
    await nextRequestHas(/"Make a plan, and change.*\(your question\)"[\s\S]*"reasoning_effort": "max"/);
    scripted.will(streamOf([{ answer: 'Yes.' }, { finish: 'stop' }]));
    await scripted.ask('Why?');
    const fork = scripted.conversations.fork(id);
    assert.equal(chosen(fork?.id), 'Plan');
    await choose('No preset');
    assert.match(hint ?? '', /^Applies to your next messages; about 1,792 tokens stay cached\.$/);
    assert.deepEqual([chosen(fork?.id), chosen(id)], [undefined, 'Plan']);
    await nextRequestHas(/"content": "\(your question\)"(?![\s\S]*reasoning_effort)/);
    scripted.conversations.create();
    assert.equal(chosen(), undefined);
  });

  it('that are gone from the settings are not left out in silence', async () => {
    await set({ Terse: { prompt: 'Be brief.' } });
    await choose('Terse');
    await set({});
    await vscode.commands.executeCommand('k3.showRequest');
    assert.match(asking.notes.at(-1) ?? '', /k3\.presets has no preset “Terse”\. Run “K3: Choose Preset…”\./);
    await choose('No preset');
    await nextRequestHas(/"\(your question\)"/);
  });

  it('let ours run only tools that read', () => {
    const names = scripted.tools.set.all().flatMap(({ name, kind }) => ('builtIn' in kind ? [name] : []));
    const reading = names.filter((name) => name !== 'propose_edit').toSorted();
    assert.ok(reading.length > 5);
    for (const { tools } of Object.values(OWN_PRESETS)) assert.deepEqual(tools.toSorted(), reading);
  });
});
