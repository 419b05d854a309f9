import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { cruise, type ICruiseResult } from 'dependency-cruiser';
import extractOptions from 'dependency-cruiser/config-utl/extract-depcruise-options';
import { after, before, describe, it } from 'mocha';

const root = new URL('../../', import.meta.url).pathname;
const options = await extractOptions(join(root, 'dependencies.config.cjs'));

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
      'src/conversation/one.ts': "import type { Other } from './other.ts';\nexport type One = Other | 1;",
      'src/conversation/other.ts': "import type { One } from './one.ts';\nexport type Other = One | 2;",
    },
  },
  {
    rule: 'vscode-only-in-editor',
    files: { 'src/requests/ask.ts': "import * as vscode from 'vscode';\nexport const ask = vscode.env;" },
  },
  {
    rule: 'vscode-only-in-editor',
    files: { 'src/panel/ask.ts': "import type { Uri } from 'vscode';\nexport type Ask = Uri;" },
  },
  {
    rule: 'service-imports-only-itself',
    files: {
      'src/service/client.ts': "import { turn } from '../conversation/turn.ts';\nexport const client = turn;",
      'src/conversation/turn.ts': 'export const turn = 1;',
    },
  },
  {
    rule: 'webview-imports-only-panel',
    files: {
      'src/webview/chat/main.ts':
        "import { turn } from '../../conversation/turn.ts';\nexport const main = turn;",
      'src/conversation/turn.ts': 'export const turn = 1;',
    },
  },
  {
    rule: 'editor-imports-no-webview',
    files: {
      'src/editor/chatView/page.ts':
        "import { main } from '../../webview/chat/main.ts';\nexport const page = main;",
      'src/webview/chat/main.ts': 'export const main = 1;',
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
    rule: 'webview-composer-imports-no-room-above-it',
    files: {
      'src/webview/composer/chips.ts':
        "import type { AppContext } from '../chat/appContext.ts';\nexport type Chips = AppContext;",
      'src/webview/chat/appContext.ts': 'export type AppContext = string;',
    },
  },
  {
    rule: 'usage-page-is-apart',
    files: {
      'src/webview/usage/usagePage.ts':
        "import { markdown } from '../text/markdown.ts';\nexport const usagePage = markdown;",
      'src/webview/text/markdown.ts': 'export const markdown = 1;',
    },
  },
  {
    rule: 'chat-knows-no-usage-page',
    files: {
      'src/webview/chat/main.ts': "import { table } from '../usage/table.ts';\nexport const main = table;",
      'src/webview/usage/table.ts': 'export const table = 1;',
    },
  },
  {
    rule: 'no-unknown-webview-room',
    files: {
      'src/webview/chat/main.ts': "import { wine } from '../cellar/wine.ts';\nexport const main = wine;",
      'src/webview/cellar/wine.ts': 'export const wine = 1;',
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

/** The names of the rules that a folder with a `src` breaks. */
async function brokenIn(tree: string): Promise<readonly string[]> {
  const { output } = await cruise(['src'], { ...options, baseDir: tree });
  const { summary } = output as ICruiseResult;
  return summary.violations.map(({ rule }) => rule.name);
}

describe('The layers of folders and rooms', () => {
  let folder: string;
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'k3-layers-'));
  });
  after(() => rmSync(folder, { recursive: true, force: true }));

  for (const [index, { rule, files }] of PROBES.entries()) {
    it(`are enforced by the rule ${rule}, which reports ${Object.keys(files)[0]}`, async () => {
      const tree = join(folder, String(index));
      for (const [file, text] of Object.entries(files)) {
        mkdirSync(dirname(join(tree, file)), { recursive: true });
        writeFileSync(join(tree, file), text);
      }
      const names = await brokenIn(tree);
      assert.deepEqual([...new Set(names)], [rule]);
    });
  }
});
