/** Shows findings as comment threads on their lines (controller `k3.review`), and in the Problems view (source `K3 review`). */
import * as vscode from 'vscode';
import { toPlainMarkdown } from '../../review/answers/plainMarkdown.ts';
import { toNarrowDiff } from '../../review/edits/editDiff.ts';
import type { FindingSeverity } from '../../review/findings/findings.ts';
import { toPlainLine } from '../../text/plainLine.ts';
import type { CommentControllers, LastingController } from '../base/commentControllers.ts';
import { findDocument } from '../workspace/textSources.ts';
import type { Findings } from './findingList.ts';
import { severityLabel } from './findingsWords.ts';
import type { OpenFinding } from './openFindings.ts';

const t = vscode.l10n.t;

export const REVIEW_SOURCE = 'K3 review';

export interface FindingThreads extends vscode.Disposable {
  /** The ID of the finding of a thread. */
  idOf(thread: vscode.CommentThread): string | undefined;
  /** Adds a comment of the user to the thread of a finding. */
  addReply(id: string, text: string): void;
  /** Hides the threads that end on a line, until the result is disposed of. Their comments are kept. */
  hide(uri: vscode.Uri, line: number): vscode.Disposable;
}

export interface FindingThreadsDeps {
  readonly controllers: Pick<CommentControllers, 'create'>;
  readonly findings: Pick<Findings, 'list' | 'isOpen' | 'onDidChange'>;
}

export function registerFindingThreads({ controllers, findings }: FindingThreadsDeps): FindingThreads {
  const controller = controllers.create('k3.review', t('K3 review'), {
    options: { prompt: t('Discuss this finding…'), placeHolder: t('Ask a question or add a comment') },
    renew() {
      for (const [id, thread] of threads) {
        kept.set(id, thread.comments);
        remove(id, thread);
      }
      update();
    },
  });
  const collection = vscode.languages.createDiagnosticCollection('k3-review');
  const threads = new Map<string, vscode.CommentThread>();
  /** The IDs of hidden findings, by each active call of `hide`, because calls can overlap. */
  const hidden = new Map<symbol, ReadonlySet<string>>();
  /** The comments of threads that are hidden, or whose file or conversation was deleted, by the IDs of their findings. */
  const kept = new Map<string, readonly vscode.Comment[]>();

  const isHidden = (id: string) => [...hidden.values()].some((ids) => ids.has(id));

  /** The URI of a thread can't change, so a finding in a renamed file gets a new thread with the same comments. */
  function threadOf(one: OpenFinding): vscode.CommentThread {
    const known = threads.get(one.id);
    if (known?.uri.toString() === one.uri.toString()) return known;
    const comments = known?.comments ?? kept.get(one.id);
    known?.dispose();
    kept.delete(one.id);
    const thread = toThread(controller, one);
    if (comments !== undefined) thread.comments = comments;
    threads.set(one.id, thread);
    return thread;
  }

  function remove(id: string, thread: vscode.CommentThread): void {
    thread.dispose();
    threads.delete(id);
  }

  /** The finding of a later review at the same place as one that is gone and was not discussed. */
  const nextFor = (
    id: string,
    { uri, range, comments }: vscode.CommentThread,
    open: readonly OpenFinding[],
  ) =>
    comments.length > 1 || findings.isOpen(id)
      ? undefined
      : open.find(
          (one) =>
            !threads.has(one.id) &&
            !isHidden(one.id) &&
            one.uri.toString() === uri.toString() &&
            range?.isEqual(toRange(one)) === true,
        );

  /** Uses the thread of a finding for the next one, so that text in its box isn't lost. */
  function passOn(id: string, thread: vscode.CommentThread, next: OpenFinding): void {
    threads.delete(id);
    threads.set(next.id, thread);
    thread.comments = [toFirst(next)];
    thread.contextValue = kindOf(next);
  }

  function update(): void {
    const open = findings.list();
    const ids = new Set(open.map(({ id }) => id));
    for (const [id, thread] of threads) {
      if (ids.has(id)) continue;
      const next = nextFor(id, thread, open);
      if (next === undefined) {
        kept.set(id, thread.comments);
        remove(id, thread);
      } else passOn(id, thread, next);
    }
    for (const id of kept.keys()) if (!findings.isOpen(id)) kept.delete(id);
    for (const one of open) if (!isHidden(one.id)) place(threadOf(one), one);
    setDiagnostics(collection, open);
  }

  const listening = findings.onDidChange(update);
  update();

  return {
    idOf: (thread) => [...threads].find(([, other]) => other === thread)?.[0],
    addReply(id, text) {
      const thread = threads.get(id);
      const before = thread?.comments ?? kept.get(id);
      if (before === undefined) return;
      const comments = [...before, toComment(t('You'), toSafeMarkdown(text))];
      if (thread === undefined) kept.set(id, comments);
      else thread.comments = comments;
    },
    hide(uri, line) {
      const there = findings.list().filter((one) => one.uri.toString() === uri.toString());
      const ids = new Set(there.flatMap(({ id, endLine }) => (endLine === line ? [id] : [])));
      for (const [id, thread] of threads) {
        if (!ids.has(id)) continue;
        kept.set(id, thread.comments);
        remove(id, thread);
      }
      const hiding = Symbol();
      hidden.set(hiding, ids);
      return new vscode.Disposable(() => {
        if (hidden.delete(hiding)) update();
      });
    },
    dispose() {
      listening.dispose();
      collection.dispose();
      controller.dispose();
    },
  };
}

function toThread(controller: LastingController, one: OpenFinding): vscode.CommentThread {
  const thread = controller.createCommentThread(one.uri, toRange(one), [toFirst(one)]);
  thread.collapsibleState = vscode.CommentThreadCollapsibleState.Collapsed;
  thread.contextValue = kindOf(one);
  thread.canReply = true;
  return thread;
}

const toFirst = (one: OpenFinding) => toComment('svc-k3', toBody(one));

const kindOf = ({ finding }: OpenFinding) => (finding.edit === undefined ? 'finding' : 'finding.edit');

/** Sets only what has changed, because each assignment is sent to the editor window. */
function place(thread: vscode.CommentThread, one: OpenFinding): void {
  const range = toRange(one);
  if (thread.range?.isEqual(range) !== true) thread.range = range;
  const label = one.stale
    ? t('{0}: the code has changed', severityLabel(one.finding.severity))
    : severityLabel(one.finding.severity);
  if (thread.label !== label) thread.label = label;
}

const toRange = ({ startLine, endLine }: OpenFinding) =>
  new vscode.Range(startLine, 0, endLine, Number.MAX_SAFE_INTEGER);

function toComment(name: string, body: vscode.MarkdownString): vscode.Comment {
  return { author: { name }, body, mode: vscode.CommentMode.Preview };
}

/** Untrusted and escaped Markdown: text of the model can't run a command or load a resource. */
function toSafeMarkdown(text: string): vscode.MarkdownString {
  // `MarkdownString.appendText` replaces spaces with non-breaking spaces, which screen readers announce.
  return new vscode.MarkdownString(toPlainMarkdown(text));
}

function toBody({ finding: { claim, evidence, edit } }: OpenFinding): vscode.MarkdownString {
  const body = toSafeMarkdown(claim).appendCodeblock(evidence);
  const diff = edit === undefined ? '' : toNarrowDiff(edit);
  if (diff !== '') body.appendMarkdown(toPlainMarkdown(t('Suggested edit:'))).appendCodeblock(diff, 'diff');
  // The scroll bar of a comment covers its last line, so an empty line is added.
  return LONG_LINE.test(`${evidence}\n${diff}`) ? body.appendMarkdown('\n&nbsp;') : body;
}

/** Matches a line that may be wider than a comment. */
const LONG_LINE = /.{81}/;

const SEVERITY: Readonly<Record<FindingSeverity, vscode.DiagnosticSeverity>> = {
  error: vscode.DiagnosticSeverity.Error,
  warning: vscode.DiagnosticSeverity.Warning,
  info: vscode.DiagnosticSeverity.Information,
};

/** Stale findings are not shown in Problems; their threads say that the code has changed. */
function setDiagnostics(collection: vscode.DiagnosticCollection, open: readonly OpenFinding[]): void {
  const byFile = new Map<string, vscode.Diagnostic[]>();
  for (const one of open.filter(({ stale }) => !stale)) {
    const uri = one.uri.toString();
    byFile.set(uri, [...(byFile.get(uri) ?? []), toDiagnostic(one)]);
  }
  collection.forEach((uri) => {
    if (!byFile.has(uri.toString())) collection.delete(uri);
  });
  for (const [uri, diagnostics] of byFile) collection.set(vscode.Uri.parse(uri), diagnostics);
}

/**
 * The finding of a problem. It isn't in the code of the diagnostic, because an ID would only be noise in Problems. Our own
 * diagnostic objects have its ID, because several findings can have the same text.
 */
export function findingOf(
  uri: vscode.Uri,
  diagnostic: vscode.Diagnostic,
  findings: readonly OpenFinding[],
): OpenFinding | undefined {
  if ('findingId' in diagnostic) return findings.find(({ id }) => id === diagnostic.findingId);
  const { message, range } = diagnostic;
  return findings.find(
    (one) =>
      one.uri.toString() === uri.toString() &&
      one.startLine === range.start.line &&
      toMessage(one) === message,
  );
}

const toMessage = ({ finding }: OpenFinding) => toPlainLine(finding.claim);

function toDiagnostic(one: OpenFinding): vscode.Diagnostic {
  const { id, uri, startLine, endLine, finding } = one;
  const document = findDocument(uri);
  const indent =
    document !== undefined && startLine < document.lineCount
      ? document.lineAt(startLine).firstNonWhitespaceCharacterIndex
      : 0;
  const range = new vscode.Range(startLine, indent, endLine, Number.MAX_SAFE_INTEGER);
  const diagnostic = new vscode.Diagnostic(range, toMessage(one), SEVERITY[finding.severity]);
  diagnostic.source = REVIEW_SOURCE;
  return Object.assign(diagnostic, { findingId: id });
}
