import assert from 'node:assert/strict';
import { after, before, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Emulator, startEmulator } from '../../../src/emulator/server.ts';
import { type Scripted, startScripted } from '../scripted.ts';
import { findOtherChat, type OtherChat, skipWithoutProviders } from './otherChat.ts';

describe('A tool loop of another chat, with a service that checks all messages', () => {
  let scripted: Scripted;
  let emulator: Emulator;
  let other: OtherChat;
  before(async function () {
    skipWithoutProviders.call(this);
    scripted = await startScripted();
    other = await findOtherChat();
    emulator = await startEmulator({ port: 0, route: 'direct', key: 'key-of-a-test', tokensPerSecond: 5000 });
  });
  after(async () => {
    await scripted?.close();
    await emulator?.close();
  });

  async function converse(scenario: string) {
    const route = { kind: 'direct', baseUrl: `${emulator.url}/s/${scenario}` };
    const settings = vscode.workspace.getConfiguration('k3');
    await settings.update('routes', { scripted: route }, vscode.ConfigurationTarget.Global);
    const [model] = await other.select();
    assert.ok(model);
    // Each conversation starts with another question, because their calls can have the same IDs.
    return other.converse(model, `Use the weather tool, please (${scenario}).`);
  }

  for (const scenario of [
    'tools',
    'tools-interleaved',
    'tools-no-index',
    'tools-same-index',
    'tools-empty-names',
    'tools-split-names',
    'tools-one-chunk',
    'tools-odd-ids',
  ])
    it(`ends with an answer: ${scenario}`, async () => {
      const { answer, inputs } = await converse(scenario);
      assert.ok(answer !== '');
      assert.equal(inputs.length, 2);
    });

  for (const [scenario, words] of [
    ['tools-broken-json', /invalid call.*not a JSON object/],
    ['tools-truncated', /cut off.*were not run/],
    ['tools-truncated-valid', /interrupted.*were not run/],
    ['tools-stop', /calls were not run.*“stop”/],
    ['tools-unknown', /“launch_rocket”.*tool doesn’t exist/],
  ] as const)
    it(`runs no tool, and reports why: ${scenario}`, async () => {
      await assert.rejects(converse(scenario), words);
    });
});
