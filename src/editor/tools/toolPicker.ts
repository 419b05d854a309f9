/** The quick pick for tools, grouped by source. It doesn't accept more tools than the service does. */
import * as vscode from 'vscode';
import { withChosen } from '../../conversation/toolCalls/toolChoice.ts';
import { byName, OWN_SOURCE } from '../../conversation/toolCalls/toolNames.ts';
import { MAX_TOOLS } from '../../service/limits.ts';
import { showHidden } from '../../text/hiddenCharacters.ts';
import { showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import { describeLack } from '../wording/probeWords.ts';
import { builtInToolWords } from './builtInToolWords.ts';
import type { AvailableTool, ToolSet } from './toolSet.ts';

const t = vscode.l10n.t;

type Item = vscode.QuickPickItem & { readonly tool?: AvailableTool; readonly group?: string };

/** Registers `k3.pickTools`. The selection is saved in the workspace state. */
export function registerToolPicker(tools: ToolSet, probes: Pick<RouteProbes, 'lackOf'>): vscode.Disposable {
  return vscode.commands.registerCommand('k3.pickTools', () => {
    const lack = probes.lackOf('tools');
    return pickTools(tools, lack && describeLack(lack.routeName, lack.result));
  });
}

/**
 * Shows the quick pick. Returns whether the user has confirmed the selection.
 *
 * @param hint why the tools aren't sent on the active route; undefined if they are sent
 */
async function pickTools(tools: ToolSet, hint: string | undefined): Promise<boolean> {
  const all = tools.all();
  if (all.length === 0) {
    await showInformation(t('No tools are available. Open a folder and check the setting k3.tools.enabled.'));
    return false;
  }
  const chosen = new Set(tools.chosen().map(({ name }) => name));
  const marked = await showPicker(toItems(all, chosen), all.length, hint);
  if (marked === undefined) return false;
  tools.choose(withChosen(tools.choice(), all, marked));
  return true;
}

/** The items: groups of tools with a separator each, first the built-in tools, then the others by source. */
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
          // The source is repeated here, because separators are hidden when the list is filtered.
          ...(source !== OWN_SOURCE && { description: plainLine(source) }),
          detail: (source === OWN_SOURCE && builtInToolWords(tool.name)) || plainLine(tool.description),
          picked: chosen.has(tool.name),
          tool,
          group: source,
        };
      }),
    ];
  });
}

const rankOf = (source: string): number => (source === OWN_SOURCE ? 0 : 1);

/** The display name of an extension, with its ID because names aren't unique. */
function titleOf(source: string): string {
  const name: unknown = vscode.extensions.getExtension(source)?.packageJSON.displayName;
  return typeof name === 'string' && !name.startsWith('%')
    ? `${plainLine(name)} — ${source}`
    : plainLine(source);
}

/** Text of extensions and servers on one line. `$(name)` would be rendered as an icon. */
const plainLine = (text: string): string => withoutIcons(showHidden(text.replace(/\s+/g, ' '))).trim();

function showPicker(
  items: readonly Item[],
  count: number,
  hint: string | undefined,
): Promise<ReadonlySet<string> | undefined> {
  const picker = vscode.window.createQuickPick<Item>();
  picker.canSelectMany = true;
  picker.matchOnDetail = true;
  const trusted = vscode.workspace.isTrusted;
  if (!trusted)
    picker.buttons = [{ iconPath: new vscode.ThemeIcon('shield'), tooltip: t('Manage Workspace Trust') }];
  picker.items = items;
  picker.selectedItems = items.filter(({ picked }) => picked);
  const show = () => {
    const { length } = picker.selectedItems;
    picker.title =
      length > MAX_TOOLS
        ? plural(
            t(
              '{0, plural, one {# tool selected; the service accepts at most {1}} other {# tools selected; the service accepts at most {1}}}',
            ),
            length,
            MAX_TOOLS,
          )
        : (hint ?? t('Tools for svc-k3: {0} of {1} selected', length, count));
    picker.placeholder =
      length > MAX_TOOLS
        ? plural(t('{0, plural, one {Clear # tool} other {Clear # tools}}'), length - MAX_TOOLS)
        : trusted
          ? t('Tools make requests longer. A change resets the cache.')
          : t('Restricted Mode: some tools are not offered.');
  };
  show();
  return new Promise((resolve) => {
    const listening = vscode.Disposable.from(
      picker.onDidChangeSelection(show),
      // The only button.
      picker.onDidTriggerButton(() => vscode.commands.executeCommand('workbench.trust.manage')),
      picker.onDidAccept(() => {
        // The title shows the error, and the selection is kept.
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
