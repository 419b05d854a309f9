/** Exports conversations as Markdown or JSON, and imports them from JSON. */
import * as vscode from 'vscode';
import { allExchanges } from '../../conversation/allExchanges.ts';
import type { Conversation } from '../../conversation/conversation.ts';
import { toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { EXPORT_FORMAT, type ImportProblem, parseExport, toExport } from '../../history/exportedJson.ts';
import type { History } from '../../history/history.ts';
import { hasUnsent } from '../../history/unsentParts.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { showError, showInformation, showWarning, withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { offerToOpen, toDefaultUri, writeFile } from '../base/savedFiles.ts';
import { joinSentences } from '../base/sentences.ts';
import { warnOfLock } from '../storage/lockedDatabase.ts';
import { exportedWords, importedWords, unreadWords } from '../wording/countWords.ts';
import { type ConversationTarget, idOfTarget } from './conversationCommands.ts';
import { exportConversation } from './conversationDocument.ts';
import type { Conversations } from './conversationList.ts';

const t = vscode.l10n.t;

export interface ExportAndImportDeps {
  readonly conversations: Conversations;
  readonly history: Pick<History, 'isOpen'> | undefined;
}

export interface ExportAndImport {
  /**
   * Exports a conversation.
   *
   * @param inputClosed a function that is called with whether a file was chosen. It is unknown because menus of the editor
   *   pass other arguments
   */
  exportOne(target: ConversationTarget, inputClosed: unknown): Promise<void>;
  exportAll(): Promise<void>;
  importFiles(): Promise<void>;
}

export const createExportAndImport = ({ conversations, history }: ExportAndImportDeps): ExportAndImport => ({
  async exportOne(target, inputClosed) {
    const id = idOfTarget(target) ?? conversations.front().id;
    const before = readToExport(conversations, id);
    const chosen = before && (await chooseFile(before));
    if (typeof inputClosed === 'function') inputClosed(chosen !== undefined);
    if (chosen === undefined) return;
    // An answer may have arrived meanwhile.
    const conversation = readToExport(conversations, id);
    if (conversation !== undefined) await exportOne(conversations, conversation, chosen);
  },
  exportAll: () => exportAll(conversations, history),
  importFiles: () => importFiles(conversations),
});

interface ChosenFile {
  readonly target: vscode.Uri;
  readonly isMarkdown: boolean;
}

const hasMessages = (conversation: Conversation): boolean => allExchanges(conversation).length > 0;

const notIncluded = () => t('What you haven’t sent yet is not in the file.');

/** A conversation as it is now. If it can't be exported, tells the user why and returns undefined. */
function readToExport(conversations: Conversations, id: string): Conversation | undefined {
  const conversation = conversations.get(id);
  if (conversation !== undefined && hasMessages(conversation)) return conversation;
  if (conversation !== undefined)
    void showInformation(t('The conversation has no messages that can be exported.'));
  else if (conversations.deleted(id) !== undefined)
    void showWarning(t('The conversation was deleted. Restore it to export it.'));
  else void showError(t('The conversation can’t be read now. Try again later.'));
  return undefined;
}

async function chooseFile(conversation: Conversation): Promise<ChosenFile | undefined> {
  const json = {
    label: 'JSON',
    description: t('all messages and answers; can be imported again'),
    ending: 'json',
  };
  const markdown = { label: 'Markdown', description: t('questions, reasoning, and answers'), ending: 'md' };
  const format = await vscode.window.showQuickPick([json, markdown], { title: t('Export Conversation') });
  if (format === undefined) return undefined;
  const target = await vscode.window.showSaveDialog({
    title: t('Export Conversation'),
    saveLabel: t('Export'),
    ...toDefaultUri(`${toFileTitle(conversation.title, t('Conversation'))}.${format.ending}`),
    filters: { [format.label]: [format.ending] },
  });
  return target && { target, isMarkdown: format === markdown };
}

async function exportOne(
  conversations: Conversations,
  conversation: Conversation,
  { target, isMarkdown }: ChosenFile,
): Promise<void> {
  const text = isMarkdown ? exportConversation(conversation) : toExport(conversation, 2);
  const left = hasUnsent(conversations, conversation.id) ? notIncluded() : '';
  if (await writeFile(target, Buffer.from(text)))
    await offerToOpen(joinSentences([t('The conversation was exported.'), left]), target);
}

interface ReadLines {
  readonly lines: readonly Buffer[];
  /** The ids of the conversations that couldn't be read. */
  readonly unread: readonly string[];
  /** Whether something was not sent yet. */
  readonly hasMore: boolean;
}

/** Reads conversations, and shows the progress. Undefined if the user cancels it. */
function readAll(
  conversations: Conversations,
  all: readonly { readonly id: string }[],
): Thenable<ReadLines | undefined> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: plural(
      t('{0, plural, one {Exporting # conversation} other {Exporting # conversations}}'),
      all.length,
    ),
    cancellable: true,
  };
  return vscode.window.withProgress(options, async (progress, cancelled) => {
    const lines: Buffer[] = [];
    const unread: string[] = [];
    let hasMore = false;
    for (const [index, { id }] of all.entries()) {
      if (cancelled.isCancellationRequested) return undefined;
      const conversation = conversations.get(id);
      if (conversation === undefined) unread.push(id);
      else if (hasMessages(conversation)) lines.push(Buffer.from(toExport(conversation, 0)));
      hasMore ||= conversation !== undefined && hasUnsent(conversations, id);
      if (index % 50 === 49) {
        progress.report({ increment: (50 / all.length) * 100 });
        // Lets the extension host do other work meanwhile.
        await new Promise(setImmediate);
      }
    }
    return { lines, unread, hasMore };
  });
}

/** Writes one line for each conversation. They are read one by one, so that they are not all in memory at the same time. */
async function exportAll(
  conversations: Conversations,
  history: ExportAndImportDeps['history'],
): Promise<void> {
  const all = conversations.list();
  if (all.length === 0) return history?.isOpen() === false ? warnOfLock() : sayNothing();
  const target = await vscode.window.showSaveDialog({
    title: t('Export All Conversations'),
    saveLabel: t('Export'),
    ...toDefaultUri('k3-conversations.jsonl'),
    filters: { 'JSON Lines': ['jsonl'] },
  });
  if (target === undefined) return;
  const read = await readAll(conversations, all);
  if (read === undefined) return;
  const { lines } = read;
  // A conversation that was deleted meanwhile is no longer in the list.
  const listed = new Set(conversations.list().map(({ id }) => id));
  const unread = unreadWords(read.unread.filter((id) => listed.has(id)).length);
  if (lines.length === 0) {
    if (unread === '') sayNothing();
    else void showError(unread);
    return;
  }
  if (!(await writeFile(target, Buffer.concat(lines)))) return;
  const said = joinSentences([exportedWords(lines.length), unread, read.hasMore ? notIncluded() : '']);
  void (unread === '' ? showInformation(said) : showWarning(said));
}

const sayNothing = () => void showInformation(t('There is no conversation to export.'));

async function importFiles(conversations: Conversations): Promise<void> {
  const files = await vscode.window.showOpenDialog({
    title: t('Import Conversation'),
    openLabel: t('Import'),
    canSelectMany: true,
    filters: { [t('Exported Conversations')]: ['json', 'jsonl'] },
  });
  let count: number | undefined;
  for (const file of files ?? []) {
    const added = await importFile(conversations, file);
    if (added !== undefined) count = (count ?? 0) + added;
  }
  // Also shown if all were imported before, because otherwise nothing would tell the user.
  if (count !== undefined) void showInformation(importedWords(count));
}

/** Returns the number of conversations that were added. If the file has none, tells the user why and returns undefined. */
async function importFile(conversations: Conversations, file: vscode.Uri): Promise<number | undefined> {
  let text: string;
  try {
    text = Buffer.from(await vscode.workspace.fs.readFile(file)).toString('utf8');
  } catch (error) {
    // The other files are still imported.
    void showError(t('{0} can’t be read: {1}. Nothing was imported.', nameOf(file), whyOf(error)));
    return undefined;
  }
  const read = parseExport(text);
  if (!read.ok) {
    void showError(describeProblem(file, read.problem));
    return undefined;
  }
  // Conversations without messages would not be in any list.
  const imported = read.conversations.filter(hasMessages);
  if (imported.length === 0) {
    void showError(t('{0} has no messages. Nothing was imported.', nameOf(file)));
    return undefined;
  }
  let count = 0;
  let last: string | undefined;
  for (const conversation of imported) {
    const { id, isNew } = conversations.addImported(conversation);
    last = id;
    if (isNew) count++;
  }
  if (last !== undefined) conversations.open(last);
  return count;
}

const nameOf = ({ path }: vscode.Uri): string => withoutLinks(path.slice(path.lastIndexOf('/') + 1));

const whyOf = (error: unknown): string => withoutLinks(messageOf(error));

function describeProblem(file: vscode.Uri, { kind, line, detail }: ImportProblem): string {
  const name = nameOf(file);
  const where = line === undefined ? name : t('{0}, line {1}', name, line);
  switch (kind) {
    case 'not-json':
      return t('{0} is not valid JSON. Nothing was imported.', where);
    case 'not-ours':
      return t(
        '{0} was not exported by K3 Chat: “format” is not “{1}”. Nothing was imported.',
        where,
        EXPORT_FORMAT,
      );
    case 'too-new':
      return t(
        '{0} was exported by a later version of K3 Chat. Update K3 Chat and import the file again.',
        where,
      );
    case 'invalid':
      return t('{0} can’t be imported: {1}. Nothing was imported.', where, withoutLinks(detail));
  }
}
