/** Decides about calls that wait, and takes approvals back: from the palette, for the keyboard and for screen readers. */
import * as vscode from 'vscode';
import type { ToolDecision } from '../panel/views.ts';
import { findHidden, showHidden } from '../review/hiddenCharacters.ts';
import { describeHidden } from './editGate.ts';
import { withoutLinks } from './notifications.ts';
import type { ToolApprovals, WaitingCall } from './toolApprovals.ts';

const t = vscode.l10n.t;

/** Longer arguments do not fit into a dialog: they are opened beside it. */
const MOST_IN_DIALOG = 1500;

/** A call that nobody has decided about after this time is told, for whoever does not see the chat. In milliseconds. */
const REMIND_AFTER_MS = 10_000;

/** Registers `k3.decideToolCall` and `k3.revokeApprovals`, and reminds of calls that wait. */
export function registerToolDecisions(approvals: ToolApprovals): vscode.Disposable {
  let reminding: NodeJS.Timeout | undefined;

  function remind(): void {
    clearTimeout(reminding);
    if (approvals.waiting().length === 0) return;
    reminding = setTimeout(async () => {
      const [first] = approvals.waiting();
      if (first === undefined) return;
      const decide = t('Decide…');
      const text = t('svc-k3 waits for your word about a call of {0}.', withoutLinks(first.tool.name));
      if ((await vscode.window.showInformationMessage(text, decide)) === decide) await decideOne(approvals);
    }, REMIND_AFTER_MS);
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.decideToolCall', () => decideOne(approvals)),
    vscode.commands.registerCommand('k3.revokeApprovals', () => revoke(approvals)),
    approvals.onDidChange(remind),
    new vscode.Disposable(() => clearTimeout(reminding)),
  );
}

async function decideOne(approvals: ToolApprovals): Promise<void> {
  const waiting = await pickWaiting(approvals.waiting());
  if (waiting === undefined) return;
  const decision = await askAbout(waiting);
  if (decision !== undefined) approvals.decide(waiting.conversationId, waiting.call.id, decision);
}

async function pickWaiting(all: readonly WaitingCall[]): Promise<WaitingCall | undefined> {
  if (all.length === 0) {
    void vscode.window.showInformationMessage(t('No tool call waits for your word.'));
    return undefined;
  }
  if (all.length === 1) return all[0];
  const items = all.map((waiting) => ({
    label: waiting.tool.name,
    description: showHidden(waiting.tool.source),
    detail: showHidden(JSON.stringify(waiting.call.arguments)),
    waiting,
  }));
  return (await vscode.window.showQuickPick(items, { title: t('Which Tool Call?') }))?.waiting;
}

/** Shows exactly what will run (CVE-2025-54133): all of the arguments, with what cannot be seen marked. */
async function askAbout({ tool, call }: WaitingCall): Promise<ToolDecision | undefined> {
  const text = JSON.stringify(call.arguments, undefined, 2);
  const hidden = findHidden(text);
  const shown = showHidden(text);
  const fits = shown.length <= MOST_IN_DIALOG;
  if (!fits) {
    const document = await vscode.workspace.openTextDocument({ content: shown, language: 'json' });
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
  }
  const warning = hidden.length === 0 ? [] : [describeHidden(hidden)];
  const where = fits ? shown : t('The arguments stand in the editor beside this question.');
  const decisions: readonly (readonly [string, ToolDecision])[] = [
    [t('Allow once'), 'once'],
    [t('Allow in this conversation'), 'conversation'],
    [t('Always allow'), 'always'],
    [t('Refuse'), 'refuse'],
  ];
  const chosen = await vscode.window.showWarningMessage(
    t('svc-k3 wants to call {0}', tool.name),
    { modal: true, detail: [t('Offered by {0}', showHidden(tool.source)), where, ...warning].join('\n\n') },
    ...decisions.map(([label]) => label),
  );
  return decisions.find(([label]) => label === chosen)?.[1];
}

async function revoke(approvals: ToolApprovals): Promise<void> {
  const always = approvals.always();
  const items = always.map(({ hash, name, source }) => ({
    label: name,
    description: showHidden(source),
    hash,
  }));
  if (items.length === 0) {
    await approvals.revoke([]);
    void vscode.window.showInformationMessage(
      t('No tool is always allowed. Those of conversations ask again.'),
    );
    return;
  }
  const title = t('Tools That Are Always Allowed: Which Are to Ask Again?');
  const picked = await vscode.window.showQuickPick(items, { title, canPickMany: true });
  if (picked !== undefined) await approvals.revoke(picked.map(({ hash }) => hash));
}
