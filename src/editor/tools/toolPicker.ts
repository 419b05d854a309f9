/** The picker of tools: in groups by who offers them, with counts, and never more than the service takes. */
import * as vscode from 'vscode';
import { showHidden } from '../../access/hiddenCharacters.ts';
import { withChosen } from '../../chat/toolChoice.ts';
import { byName, OWN_SOURCE } from '../../chat/toolNames.ts';
import { MAX_TOOLS } from '../../service/limits.ts';
import type { AvailableTool, ToolSet } from './toolSet.ts';

const t = vscode.l10n.t;

type Item = vscode.QuickPickItem & { readonly tool?: AvailableTool; readonly group?: string };

/** Registers `k3.pickTools`. What is chosen is remembered for the workspace. */
export function registerToolPicker(tools: ToolSet): vscode.Disposable {
  return vscode.commands.registerCommand('k3.pickTools', () => pickTools(tools));
}

async function pickTools(tools: ToolSet): Promise<void> {
  const all = tools.all();
  if (all.length === 0) {
    await vscode.window.showInformationMessage(
      t('No tools are available. Open a folder and check the setting k3.tools.enabled.'),
    );
    return;
  }
  const chosen = new Set(tools.chosen().map(({ name }) => name));
  const marked = await showPicker(toItems(all, chosen), all.length);
  if (marked !== undefined) tools.choose(withChosen(tools.choice(), all, marked));
}

/** Groups: our own first, the others by name. Each begins with its heading. */
function toItems(all: readonly AvailableTool[], chosen: ReadonlySet<string>): readonly Item[] {
  const groups = new Map<string, AvailableTool[]>();
  for (const tool of all) groups.set(tool.source, [...(groups.get(tool.source) ?? []), tool]);
  const sources = [...groups.keys()].sort((a, b) => rankOf(a) - rankOf(b) || (a < b ? -1 : 1));
  return sources.flatMap((source): readonly Item[] => {
    const tools = groups.get(source) ?? [];
    const label =
      source === OWN_SOURCE ? t('Built-in ({0})', tools.length) : `${titleOf(source)} (${tools.length})`;
    return [
      { label, kind: vscode.QuickPickItemKind.Separator },
      ...tools.toSorted(byName).map((tool): Item => {
        return {
          label: tool.name,
          // The headings go when something is typed.
          ...(source !== OWN_SOURCE && { description: plainLine(source) }),
          detail: plainLine(tool.description),
          picked: chosen.has(tool.name),
          tool,
          group: source,
        };
      }),
    ];
  });
}

const rankOf = (source: string): number => (source === OWN_SOURCE ? 0 : 1);

/** The name that an extension gives itself, with the id by which it can be told from one of the same name. */
function titleOf(source: string): string {
  const name: unknown = vscode.extensions.getExtension(source)?.packageJSON.displayName;
  return typeof name === 'string' && !name.startsWith('%')
    ? `${plainLine(name)} — ${source}`
    : plainLine(source);
}

/** Others wrote it; in a line of a list `$(name)` would be drawn as an icon. */
const plainLine = (text: string): string =>
  showHidden(text.replace(/\s+/g, ' ')).replaceAll('$(', '$ (').trim();

function showPicker(items: readonly Item[], count: number): Promise<ReadonlySet<string> | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  picker.items = items;
  picker.selectedItems = items.filter(({ picked }) => picked);
  const show = () => {
    const { length } = picker.selectedItems;
    picker.title =
      length > MAX_TOOLS
        ? t('{0} tools selected; the service accepts at most {1}', length, MAX_TOOLS)
        : t('Tools for svc-k3: {0} of {1} selected', length, count);
    picker.placeholder =
      length > MAX_TOOLS
        ? t('Clear {0} of them', length - MAX_TOOLS)
        : t('Each tool makes every request longer. After a change, the next request is not cached.');
  };
  show();
  return new Promise((resolve) => {
    const listening = vscode.Disposable.from(
      picker.onDidChangeSelection(show),
      picker.onDidAccept(() => {
        // The title says what is wrong; the choice stays as it is marked.
        if (picker.selectedItems.length > MAX_TOOLS) return;
        resolve(new Set(picker.selectedItems.map(({ label }) => label)));
        picker.hide();
      }),
      picker.onDidHide(() => {
        resolve(undefined);
        listening.dispose();
        picker.dispose();
      }),
    );
    picker.show();
  });
}
