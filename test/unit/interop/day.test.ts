/** R11: the requests of a day begin with the same bytes, so that nearly all of what they repeat is cached. */
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, it } from 'mocha';
import type { TurnSettings } from '../../../src/requests/turnSettings.ts';
import { brokenPrefixes, cachedShareOf, lastMessageOf } from '../../support/day/prefix.ts';
import { createProject } from '../../support/day/project.ts';
import { playDay } from '../../support/day/script.ts';
import { type DayService, startEmulatedDay, startStrictDay } from '../../support/day/services.ts';
import { openDayWindow } from '../../support/day/window.ts';

const percent = (share: number) => `${(100 * share).toFixed(1)} %`;

let service: DayService;
let folder: string;

/** Plays the day with a service, with these settings at each step. */
async function play(start: () => Promise<DayService>, settings: (step: string) => Partial<TurnSettings>) {
  service = await start();
  const project = createProject();
  let now: Partial<TurnSettings> = {};
  const open = () => openDayWindow({ folder, service, project, settings: () => now });
  const before = (step: string) => {
    now = settings(step);
  };
  return playDay({ service, project, open, before });
}

describe('A day’s work', () => {
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-day-'));
  });

  afterEach(async () => {
    await service.close();
    rmSync(folder, { recursive: true });
  });

  for (const [name, start] of [
    ['the emulator', startEmulatedDay],
    ['the strict service', startStrictDay],
  ] as const)
    it(`R11 begins each request to ${name} with the bytes of the one before`, async function () {
      const { requests, aside, forked, turns } = await play(start, () => ({}));
      assert.deepEqual(brokenPrefixes(requests), []);
      assert.deepEqual(service.violations(), []);
      const calls = turns.flatMap(({ rounds }) => rounds.flatMap(({ toolCalls }) => toolCalls));
      assert.deepEqual(
        calls.map(({ state }) => state),
        Array.from({ length: service.toolCalls }, () => 'done'),
      );
      // A fork goes on after the same bytes, and without the instructions that were left out.
      assert.equal(forked.length, 2);
      assert.deepEqual(brokenPrefixes(forked), []);
      assert.equal(lastMessageOf(forked.at(-1)), JSON.stringify({ role: 'user', content: 'And for ten?' }));
      // The commit message, which begins a prefix of its own.
      assert.equal(aside.length, 1);
      const share = cachedShareOf(turns);
      const stopped = turns.filter(({ outcome }) => outcome === 'stopped');
      assert.equal(share.reported, requests.length - stopped.length);
      const { test } = this;
      if (test)
        test.title += `: of the input after the first of ${requests.length} requests, ${percent(share.afterFirst)} is cached; of what was sent before, ${percent(share.ofSent)}`;
      assert.ok(share.afterFirst >= 0.9, JSON.stringify(share));
      assert.ok(share.ofSent >= 0.95, JSON.stringify(share));
    });

  it('is found out when another system prompt breaks the prefix in the middle of it', async () => {
    const changed = new Set<string>();
    const { requests, turns } = await play(startStrictDay, (step) => {
      if (step === 'prompt') changed.add(step);
      return { systemPrompt: changed.size === 0 ? 'Be brief.' : 'Be thorough.' };
    });
    const broken = brokenPrefixes(requests);
    assert.equal(broken.length, 1, broken.join('\n'));
    assert.match(broken[0] ?? '', /^prompt: messages\[0\] was .*Be brief.*is .*Be thorough/);
    assert.ok(service.violations().length > 0);
    assert.ok(cachedShareOf(turns).afterFirst < 0.9);
  });
});
