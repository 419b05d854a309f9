/**
 * Cleans up after a failed test in the extension host, so that the next test doesn't fail: restores functions of the editor that the test
 * replaced and settings that it changed, and closes an open input.
 */
import type * as Editor from 'vscode';

type Functions = Readonly<Record<string, unknown>>;
type Setting = Pick<
  NonNullable<ReturnType<Editor.WorkspaceConfiguration['inspect']>>,
  'globalValue' | 'workspaceValue'
>;

export interface LeftoverHooks {
  beforeEach(): void;
  afterEach(this: Mocha.Context): Promise<void>;
}

/**
 * @param vscode the object of the extension under test, whose functions the tests replace
 * @param print adds a line to the results, which says what was open when a test failed
 */
export function createLeftoverHooks(vscode: typeof Editor, print: (line: string) => void): LeftoverHooks {
  const names = settingNames(vscode);
  let functions: readonly (readonly [object, Functions])[] = [];
  let settings: ReadonlyMap<string, Setting> = new Map();
  // Reading a hundred settings takes some milliseconds, and most tests change none.
  let haveChanged = true;
  vscode.workspace.onDidChangeConfiguration(() => {
    haveChanged = true;
  });
  return {
    beforeEach() {
      functions = [vscode.window, vscode.workspace, vscode.commands].map((part) => [part, functionsOf(part)]);
      if (haveChanged) settings = readSettings(vscode, names);
      haveChanged = false;
    },
    async afterEach() {
      if (this.currentTest?.state !== 'failed') return;
      print(`    After “${this.currentTest.title}”: ${describeTabs(vscode)}`);
      for (const [part, before] of functions) Object.assign(part, before);
      try {
        await vscode.commands.executeCommand('workbench.action.closeQuickOpen');
        await restoreSettings(vscode, settings);
      } catch (error) {
        // If this hook failed, Mocha would run no other test.
        console.error(`restoring what a failed test has changed: ${error}`);
      }
    },
  };
}

/** The tabs, with active tabs in brackets, and whether the window has the focus. */
function describeTabs({ window }: typeof Editor): string {
  const tabs = window.tabGroups.all
    .flatMap((group) => group.tabs)
    .map(({ label, isActive }) => (isActive ? `[${label}]` : label));
  return `${tabs.join(', ') || 'no tabs'}; the window has ${window.state.focused ? 'the' : 'no'} focus`;
}

async function restoreSettings(vscode: typeof Editor, settings: ReadonlyMap<string, Setting>): Promise<void> {
  const { Global, Workspace } = vscode.ConfigurationTarget;
  for (const [name, now] of readSettings(vscode, [...settings.keys()])) {
    const before = settings.get(name);
    const values = [
      [before?.globalValue, now.globalValue, Global],
      [before?.workspaceValue, now.workspaceValue, Workspace],
    ] as const;
    for (const [then, value, target] of values)
      if (!isSame(then, value)) await vscode.workspace.getConfiguration().update(name, then, target);
  }
}

/** Only writable properties with values: the API also has properties with getters. */
function functionsOf(part: object): Functions {
  const own = Object.entries(Object.getOwnPropertyDescriptors(part));
  return Object.fromEntries(
    own.flatMap(([name, { value, writable }]) =>
      writable && typeof value === 'function' ? [[name, value]] : [],
    ),
  );
}

function settingNames(vscode: typeof Editor): readonly string[] {
  const manifest = vscode.extensions.getExtension('k3-chat.k3-chat')?.packageJSON;
  const groups: readonly { readonly properties: object }[] = [manifest?.contributes?.configuration].flat();
  return groups.flatMap(({ properties }) => Object.keys(properties));
}

function readSettings(vscode: typeof Editor, names: readonly string[]): ReadonlyMap<string, Setting> {
  const now = vscode.workspace.getConfiguration();
  return new Map(
    names.map((name) => {
      const { globalValue, workspaceValue } = now.inspect(name) ?? {};
      return [name, { globalValue, workspaceValue }];
    }),
  );
}

const isSame = (one: unknown, other: unknown) => JSON.stringify(one) === JSON.stringify(other);
