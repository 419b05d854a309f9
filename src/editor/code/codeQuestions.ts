/** The questions about the code in an editor: which lines they are about, and what is sent with them. */
import * as vscode from 'vscode';
import {
  type CodeLines,
  type CodeQuestion,
  type CodeTask,
  changesCode,
  chooseSurroundings,
  toCodePrompt,
} from '../../conversation/prompts/codePrompts.ts';
import type { Origin, Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { findAskedLines } from '../../review/findings/askedLines.ts';
import { notify, type Say } from '../base/notifications.ts';
import { fieldOf } from '../base/ownField.ts';
import { describeReadFailure } from '../context/contextWords.ts';
import {
  editorOf,
  linesOfDocument,
  linesOfRange,
  linesOfSpan,
  type SelectedCode,
  toSelectedCode,
} from '../workspace/selectedCode.ts';
import { requestFiles, requestLines } from '../workspace/sentLines.ts';

const t = vscode.l10n.t;

/** The argument of a command from a code action: a range, and its diagnostics as text. */
export interface CodeActionTarget {
  readonly uri: vscode.Uri;
  readonly range: vscode.Range;
  readonly diagnostics: readonly string[];
}

/**
 * Whether the argument of a command is a target. The context menu passes the URI of the file instead, which is that of the active
 * editor anyway. Other extensions and tasks can pass anything.
 */
export function isTarget(target: unknown): target is CodeActionTarget {
  const [uri, range, diagnostics] = ['uri', 'range', 'diagnostics'].map((name) => fieldOf(target, name));
  const isText = Array.isArray(diagnostics) && diagnostics.every((one) => typeof one === 'string');
  return uri instanceof vscode.Uri && range instanceof vscode.Range && isText;
}

/** Longer code is only sent if the user has selected all of its lines. In UTF-16 code units; about 100,000 tokens. */
const MAX_UNSELECTED = 400_000;

/** Whether code is too long to be sent: nothing is selected, or only text within one line, such as in a minified file. */
export const isCodeTooLong = ({ selected, startLine, endLine, text }: SelectedCode): boolean =>
  text.length > MAX_UNSELECTED && (selected !== true || startLine === endLine);

/**
 * Asks the user before code is sent: about a file that no editor shows, and about lines that the user didn't select if they contain
 * keys or passwords, or are in a file for these. Returns the code with the lines around it, whatever is written there since. Undefined
 * if the user declined, or if the code is too long, which the user is told.
 */
export async function askToInclude(code: SelectedCode, say: Say = notify): Promise<SelectedCode | undefined> {
  if (isCodeTooLong(code)) return void say(describeReadFailure(code.path, 'too-large'));
  const { uri } = code.document;
  if (!(await requestFiles([uri]))) return undefined;
  const around = linesAround(code);
  const lines = [...(code.selected ? [] : [code]), ...around];
  const text = lines.map((one) => one.text).join('\n');
  const isAllowed = lines.length === 0 || (await requestLines([{ uri, text, unselected: true }]));
  return isAllowed ? { ...code, around } : undefined;
}

/** The code of a target, or else of an editor. Tells the user if there is none. */
export async function findCode(
  target: CodeActionTarget | undefined,
  editor: vscode.TextEditor | undefined,
  say: Say = notify,
): Promise<SelectedCode | undefined> {
  if (target !== undefined) {
    const document = await vscode.workspace.openTextDocument(target.uri);
    const shown = editorOf({ document });
    // The symbol that contains a problem gives the model the context that it needs.
    if (shown !== undefined && target.range.isSingleLine) {
      const found = await toSelectedCode(shown);
      if (found && found.startLine <= target.range.start.line && found.endLine >= target.range.end.line) {
        const { more, ...one } = found;
        return one;
      }
    }
    const { start, end } = linesOfRange(target.range);
    return linesOfDocument(document, start, end);
  }
  if (editor === undefined) {
    say(
      t(
        'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.',
      ),
    );
    return undefined;
  }
  const code = await toSelectedCode(editor);
  if (code === undefined) say(t('This file is empty.'));
  return code;
}

/** The code as it is now, if it can be found again: the user may have changed the file in the meantime. */
export function toCodeNow(code: SelectedCode): SelectedCode {
  const { document, text, startLine, more } = code;
  return {
    ...code,
    ...linesOfSpan(document, findAskedLines(document.getText(), text, startLine)),
    ...(more && { more: more.map(toCodeNow) }),
  };
}

/** The parts of a question about code. `note` is for the model. */
export interface CodeAsked extends Pick<CodeQuestion, 'task' | 'instruction' | 'diagnostics' | 'note'> {
  readonly code: SelectedCode;
}

/** The question about code. For tasks that change files, its `purpose` requests an answer that can be checked. */
export function toQuestion(asked: CodeAsked): Question {
  const { task, code, instruction } = asked;
  const purpose = task === 'test' ? 'tests' : changesCode(task) ? 'proposal' : undefined;
  return {
    text: toCodePrompt({ ...asked, around: code.around ?? linesAround(code) }),
    asked: toAsked(titleOfTask(task), instruction),
    images: [],
    origin: toOrigin(code),
    ...(code.more && { more: code.more.map(toOrigin) }),
    ...(purpose && { purpose }),
  };
}

/** Lines in the form in which they are stored with a question. */
export const toOrigin = ({ document, startLine, endLine, text, path }: SelectedCode): Origin => ({
  uri: document.uri.toString(),
  startLine,
  endLine,
  text,
  path,
});

export function titleOfTask(task: CodeTask): string {
  switch (task) {
    case 'ask':
      return t('Ask About Selection');
    case 'explain':
      return t('Explain');
    case 'edit':
      return t('Edit Here');
    case 'refactor':
      return t('Refactor');
    case 'fix':
      return t('Fix');
    case 'document':
      return t('Document');
    case 'test':
      return t('Write Tests');
    case 'resolve':
      return t('Resolve with K3');
  }
}

/** The lines before and after the code that are sent with it. */
export function linesAround({
  document,
  startLine,
  endLine,
}: Pick<SelectedCode, 'document' | 'startLine' | 'endLine'>): readonly CodeLines[] {
  const lines = document.getText().split(/\r?\n/);
  return chooseSurroundings(lines, startLine, endLine).map(({ start, end }) =>
    linesOfDocument(document, start, end),
  );
}

/** The diagnostics of the lines to fix; none for other tasks. */
export function diagnosticsOf(code: SelectedCode, task: CodeTask): readonly string[] {
  if (task !== 'fix') return [];
  const parts = [code, ...(code.more ?? [])];
  return vscode.languages
    .getDiagnostics(code.document.uri)
    .filter(
      ({ range: { start, end }, source }) =>
        source !== 'K3' && parts.some((one) => start.line <= one.endLine && end.line >= one.startLine),
    )
    .map(toDiagnosticLine);
}

/** A diagnostic in one line, for the model. */
export function toDiagnosticLine({ range, message, source, code }: vscode.Diagnostic): string {
  const name = typeof code === 'object' ? code.value : code;
  const from = [source, name].filter((part) => part !== undefined && part !== '').join(' ');
  const text = message.replace(/\s+/g, ' ');
  // Not translated: for the model.
  return `line ${range.start.line + 1}: ${text}${from === '' ? '' : ` (${from})`}`;
}
