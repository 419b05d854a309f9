/** Commands to decide waiting calls and to revoke approvals, without the chat: for keyboards and screen readers. */
import * as vscode from 'vscode';
import type { WaitingCall } from '../../conversation/toolCalls/waitingCalls.ts';
import type { ToolDecision } from '../../panel/views.ts';
import { findHidden, showHidden } from '../../text/hiddenCharacters.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { askInDialog, showInformation, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { describeToolChange } from '../wording/toolWords.ts';
import { describeHidden, toOneLine } from '../workspace/accessDialog.ts';
import type { ToolApprovals } from './toolApprovals.ts';
import type { ToolChanges } from './toolChanges.ts';

const t = vscode.l10n.t;

/** The maximum length of a text in a dialog, in characters and in lines. Otherwise, the arguments are shown in an editor. */
const MAX_DIALOG_CHARACTERS = 1500;
const MAX_DIALOG_LINES = 40;

/** The delay before a notification reminds of a waiting call, in case the chat isn't visible. In milliseconds. */
const REMIND_AFTER_MS = 10_000;

export interface ToolDecisionsDeps {
  readonly approvals: ToolApprovals;
  readonly changes: Pick<ToolChanges, 'show'>;
  /** The title of a conversation; undefined if the conversation no longer exists. */
  readonly titleOf: (conversationId: string) => string | undefined;
  readonly log: Pick<Log, 'warn'>;
}

/** Registers `k3.decideToolCall`, `k3.revokeApprovals`, and the reminder of waiting calls. */
export function registerToolDecisions(deps: ToolDecisionsDeps): vscode.Disposable {
  const { approvals, log } = deps;
  let reminding: NodeJS.Timeout | undefined;

  async function remind(): Promise<void> {
    const [first] = approvals.waiting();
    if (first === undefined) return;
    const decide = t('Review…');
    const text = t('svc-k3 is waiting for approval to run {0}.', withoutLinks(first.tool.name));
    if ((await showInformation(text, decide)) === decide) await decideOne(deps);
  }

  function remindLater(): void {
    clearTimeout(reminding);
    if (approvals.waiting().length === 0) return;
    reminding = setTimeout(() => inBackground(log, remind(), 'reminding of a tool call'), REMIND_AFTER_MS);
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.decideToolCall', () => decideOne(deps)),
    vscode.commands.registerCommand('k3.revokeApprovals', () => revoke(approvals)),
    approvals.onDidChange(remindLater),
    new vscode.Disposable(() => clearTimeout(reminding)),
  );
}

async function decideOne({ approvals, changes, titleOf }: ToolDecisionsDeps): Promise<void> {
  const from = (waiting: WaitingCall) => describeOrigin(waiting, titleOf(waiting.conversationId));
  const waiting = await pickWaiting(approvals.waiting(), from);
  if (waiting === undefined) return;
  const decision = await askAbout(waiting, from(waiting));
  // Meanwhile, the call still waits.
  if (decision === 'show-changes') return changes.show(waiting);
  if (decision === undefined || approvals.decide(waiting.approval, decision)) return;
  // The turn ended while the dialog was open, or the call was decided in the chat.
  void showInformation(
    t('The call to {0} is no longer waiting for approval.', withoutLinks(waiting.tool.name)),
  );
}

/** The provider of the tool, and the conversation of the call, because the chat may show another one. */
function describeOrigin({ tool }: WaitingCall, title: string | undefined): readonly string[] {
  const source = t('Provided by {0}', toOneLine(tool.source));
  return title === undefined ? [source] : [source, t('Conversation: {0}', toOneLine(title))];
}

async function pickWaiting(
  all: readonly WaitingCall[],
  from: (waiting: WaitingCall) => readonly string[],
): Promise<WaitingCall | undefined> {
  if (all.length === 0) {
    void showInformation(t('No tool call is waiting for approval.'));
    return undefined;
  }
  if (all.length === 1) return all[0];
  const items = all.map((waiting) => ({
    label: waiting.tool.name,
    description: withoutIcons(from(waiting).join(' · ')),
    detail: withoutIcons(showHidden(JSON.stringify(waiting.call.arguments))),
    waiting,
  }));
  return (await vscode.window.showQuickPick(items, { title: t('Select Tool Call') }))?.waiting;
}

/** Shows exactly what will run (docs/security.md, Approvals of tools): all arguments, with invisible characters as codes. */
async function askAbout(
  waiting: WaitingCall,
  origin: readonly string[],
): Promise<ToolDecision | 'show-changes' | undefined> {
  const { tool, call } = waiting;
  const text = JSON.stringify(call.arguments, undefined, 2);
  const hidden = findHidden(text);
  const shown = showHidden(text);
  const change = describeToolChange(waiting);
  const warnings = [
    ...(change === undefined ? [] : [change]),
    ...(hidden.length === 0 ? [] : [describeHidden(hidden)]),
  ];
  const question = t('svc-k3 wants to run {0}', tool.name);
  const refuse = t('Refuse');
  const others: readonly (readonly [string, ToolDecision | 'show-changes'])[] = [
    [t('Allow once'), 'once'],
    ...(waiting.onlyOnce
      ? []
      : ([
          [t('Allow in this conversation'), 'conversation'],
          [t('Always allow'), 'always'],
        ] as const)),
    ...(change === undefined ? [] : [[t('Show Changes'), 'show-changes'] as const]),
  ];
  const labels = others.map(([label]) => label);
  const detail = [origin.join('\n'), shown, ...warnings].join('\n\n');
  const fits = detail.length <= MAX_DIALOG_CHARACTERS && detail.split('\n').length <= MAX_DIALOG_LINES;
  const chosen = fits
    ? await askInDialog(question, detail, refuse, ...labels)
    : await askBeside(
        [...warnings, shown].join('\n\n'),
        question,
        joinSentences([...origin.map(toSentence), ...warnings]),
        [refuse, ...labels],
      );
  return chosen === refuse ? 'refuse' : others.find(([label]) => label === chosen)?.[1];
}

/**
 * Asks in a quick pick while a read-only document shows the arguments, which can be scrolled. Enter selects the first
 * label.
 */
async function askBeside(
  text: string,
  title: string,
  placeHolder: string,
  labels: readonly string[],
): Promise<string | undefined> {
  const inLines = toShortLines(text);
  const provider = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    provideTextDocumentContent: () => inLines,
  });
  try {
    // Not a `.json` file: the editor would load the schema that is named in it before the user has decided.
    const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${t('Arguments')} ${++shownCalls}.txt` });
    const document = await vscode.workspace.openTextDocument(uri);
    await vscode.window.showTextDocument(document, { preview: true, preserveFocus: true });
    return await vscode.window.showQuickPick(labels, { title, placeHolder, ignoreFocusOut: true });
  } finally {
    provider.dispose();
  }
}

/**
 * Breaks long lines, whose end would not be visible: the editor doesn't wrap them, and shows only the beginning of very
 * long lines. A mark at the beginning of each continuation tells it from another argument.
 */
const toShortLines = (text: string): string => text.replace(/.{100}(?=.)/gu, '$&\n↪ ');

const SCHEME = 'k3-arguments';
let shownCalls = 0;

async function revoke(approvals: ToolApprovals): Promise<void> {
  const count = approvals.inConversations();
  const always = approvals.always().map(({ hash, name, source }) => ({
    label: name,
    description: withoutIcons(showHidden(source)),
    hash,
  }));
  if (always.length === 0) {
    // Other windows may have approvals in conversations.
    await approvals.revoke([]);
    const revoked = count === 0 ? '' : describeRevoked(count);
    void showInformation(joinSentences([revoked, t('No tools are on the allow list.')]));
    return;
  }
  const title = t('Select Tools to Remove from the Allow List');
  const placeHolder = t('Approvals in conversations are also revoked ({0}).', count);
  const picked = await vscode.window.showQuickPick(always, {
    title,
    ...(count > 0 && { placeHolder }),
    canPickMany: true,
  });
  if (picked === undefined) return;
  await approvals.revoke(picked.map(({ hash }) => hash));
  const tools = picked.length === 0 ? '' : describeRemoved(picked.length);
  const revoked = count === 0 ? '' : describeRevoked(count);
  void showInformation(joinSentences([tools, revoked]) || t('No approvals were revoked.'));
}

const describeRevoked = (count: number): string => t('Approvals in conversations were revoked ({0}).', count);

const describeRemoved = (count: number): string =>
  plural(
    t(
      '{0, plural, one {# tool was removed from the allow list.} other {# tools were removed from the allow list.}}',
    ),
    count,
  );
