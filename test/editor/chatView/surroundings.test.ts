/** What a panel says before a question is sent. */
import assert from 'node:assert/strict';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { removeFolder } from '../../support/removeFolder.ts';
import { type Scripted, setForUser, startScripted } from '../scripted.ts';
import { openWindow, type TestWindow } from './window.ts';

describe('Before a question is sent', () => {
  let scripted: Scripted;
  let folder: string;
  let window: TestWindow;
  beforeEach(async () => {
    scripted = await startScripted();
    folder = await mkdtemp(join(tmpdir(), 'k3-surroundings-'));
    window = openWindow(scripted, folder, 'a project');
  });
  afterEach(async () => {
    await setBudget(undefined);
    window.close();
    await scripted.close();
    await removeFolder(folder);
  });

  const setBudget = (tokens: number | undefined) => setForUser('k3', 'maxCompletionTokens', tokens);
  /** A panel that is opened now shows the settings as they are now. */
  const banners = () => window.open(window.conversations.current().id).shown().surroundings.banners;

  it('counts a prompt file by its text, and the instruction of a preset', async () => {
    const { id } = window.conversations.current();
    const about = () => window.open(id).shown().surroundings.meter.value;
    const empty = about();
    window.conversations.putDraft(id, '/long');
    assert.ok(about() - empty > 4000, `${about() - empty} tokens`);
    window.conversations.putDraft(id, '');
    window.composers.of(id).preset = 'Plan';
    assert.ok(about() - empty > 30, `${about() - empty} tokens`);
    const { preset, effort } = window.open(id).shown().surroundings;
    assert.deepEqual([preset?.name, effort], ['Plan', 'max']);
  });

  it('says that none of several routes is active, and offers to switch', async () => {
    const settings = vscode.workspace.getConfiguration('k3');
    const routes = settings.inspect<Record<string, object>>('routes')?.globalValue;
    const set = async (name: string, value: unknown) =>
      settings.update(name, value, vscode.ConfigurationTarget.Global);
    await set('routes', { ...routes, other: { kind: 'direct', baseUrl: 'https://other.test' } });
    await set('route', '');
    const { route, noRoute } = window.open(window.conversations.current().id).shown().surroundings;
    await set('routes', routes);
    await set('route', 'scripted');
    assert.equal(route, undefined);
    assert.match(noRoute?.text ?? '', /^k3\.route is empty/);
    assert.equal(noRoute?.label, 'Switch Route…');
  });

  it('shows what was asked by commands that are queued, not the prompts that were made of it', () => {
    const { id } = window.conversations.current();
    const question = { text: 'Review this code.\n\n1 | let a;', images: [], origin: undefined };
    window.composers.enqueue(id, { ...question, asked: 'Review File · a.ts' });
    window.composers.enqueue(id, question);
    const { queue } = window.open(id).shown().surroundings;
    assert.deepEqual(
      queue.map(({ text }) => text),
      ['Review File · a.ts', 'Review this code.'],
    );
  });

  it('Q8 the panel says that the output budget is above the maximum, until it is changed', async () => {
    await setBudget(1_048_576);
    assert.deepEqual(banners(), []);
    await setBudget(2_000_000);
    const [banner] = banners();
    assert.match(banner?.text ?? '', /k3\.maxCompletionTokens is 2,000,000.*at most 1,048,576/);
    assert.deepEqual(
      banner?.actions.map(({ action }) => action),
      ['edit-settings'],
    );
    await setBudget(500);
    assert.deepEqual(banners(), []);
  });

  it('Q8 the panel says so of the budget of a preset, by its name', async () => {
    const presets = (value: unknown) =>
      vscode.workspace.getConfiguration('k3').update('presets', value, vscode.ConfigurationTarget.Global);
    await setBudget(2_000_000);
    await presets({ Long: { maxCompletionTokens: 3_000_000 }, Short: { maxCompletionTokens: 300 } });
    const texts = (preset: string) => {
      window.composers.of(window.conversations.current().id).preset = preset;
      return banners().map(({ text }) => text);
    };
    assert.deepEqual(texts('Short'), []);
    assert.match(texts('Long').join(), /^k3\.presets\.Long\.maxCompletionTokens is 3,000,000 tokens, but/);
    await presets(undefined);
  });
});
