import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'mocha';

const root = new URL('../../', import.meta.url).pathname;
const config = join(root, 'dependencies.config.cjs');
const cruiser = join(root, 'node_modules/dependency-cruiser/bin/dependency-cruise.mjs');

/** For each rule, files that break only that rule. */
const PROBES: readonly { readonly rule: string; readonly files: Readonly<Record<string, string>> }[] = [
  {
    rule: 'workspace-imports-no-room-above-it',
    files: {
      'src/editor/workspace/files.ts':
        "import { tools } from '../tools/tools.ts';\nexport const files = tools;",
      'src/editor/tools/tools.ts': 'export const tools = 1;',
    },
  },
  {
    rule: 'base-imports-no-room-above-it',
    files: {
      'src/editor/base/log.ts':
        "import type { Route } from '../connection/route.ts';\nexport type Log = Route;",
      'src/editor/connection/route.ts': 'export type Route = string;',
    },
  },
  {
    rule: 'no-circles',
    files: {
      'src/chat/one.ts': "import type { Other } from './other.ts';\nexport type One = Other | 1;",
      'src/chat/other.ts': "import type { One } from './one.ts';\nexport type Other = One | 2;",
    },
  },
  {
    rule: 'vscode-only-in-editor',
    files: { 'src/turns/ask.ts': "import * as vscode from 'vscode';\nexport const ask = vscode.env;" },
  },
  {
    rule: 'vscode-only-in-editor',
    files: { 'src/panel/ask.ts': "import type { Uri } from 'vscode';\nexport type Ask = Uri;" },
  },
  {
    rule: 'service-imports-only-itself',
    files: {
      'src/service/client.ts': "import { turn } from '../chat/turn.ts';\nexport const client = turn;",
      'src/chat/turn.ts': 'export const turn = 1;',
    },
  },
  {
    rule: 'webview-imports-only-panel',
    files: {
      'src/webview/main.ts': "import { turn } from '../chat/turn.ts';\nexport const main = turn;",
      'src/chat/turn.ts': 'export const turn = 1;',
    },
  },
  {
    rule: 'editor-imports-no-webview',
    files: {
      'src/editor/chatView/page.ts':
        "import { main } from '../../webview/main.ts';\nexport const page = main;",
      'src/webview/main.ts': 'export const main = 1;',
    },
  },
  {
    rule: 'no-unknown-room',
    files: {
      'src/editor/cellar/wine.ts': 'export const wine = 1;',
      'src/extension.ts': "import { wine } from './editor/cellar/wine.ts';\nexport const extension = wine;",
    },
  },
  {
    rule: 'no-unknown-folder',
    files: {
      'src/cellar/wine.ts': 'export const wine = 1;',
      'src/extension.ts': "import { wine } from './cellar/wine.ts';\nexport const extension = wine;",
    },
  },
  {
    rule: 'emulator-request-rules-know-no-answers',
    files: {
      'src/emulator/requestRules/check.ts':
        "import { demo } from '../demo/demo.ts';\nexport const check = demo;",
      'src/emulator/demo/demo.ts': 'export const demo = 1;',
    },
  },
];

interface Violation {
  readonly rule: { readonly name: string };
}

describe('The layers of folders and rooms', function () {
  this.timeout(30_000);
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-layers-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [index, { rule, files }] of PROBES.entries()) {
    it(`are enforced by the rule ${rule}, which reports ${Object.keys(files)[0]}`, () => {
      const tree = join(folder, String(index));
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(tree, file)), { recursive: true });
        writeFileSync(join(tree, file), text);
      }
      const { stdout } = spawnSync(
        process.execPath,
        [cruiser, '--config', config, '--output-type', 'json', 'src'],
        { cwd: tree, encoding: 'utf8' },
      );
      const { summary } = JSON.parse(stdout);
      const names = summary.violations.map((violation: Violation) => violation.rule.name);
      assert.deepEqual([...new Set(names)], [rule]);
    });
  }
});
