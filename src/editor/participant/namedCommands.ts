/** The commands on code that a request to `@k3` names with `/`. */
import * as vscode from 'vscode';
import type { Question } from '../../conversation/question.ts';
import { isImageFile } from '../../panel/imageAddress.ts';
import { activeEditor, type LastEditor } from '../base/lastEditor.ts';
import { askToInclude, isCodeTooLong, toQuestion } from '../code/codeQuestions.ts';
import type { Expanded } from '../composer/prompts.ts';
import { describeReadFailure } from '../context/contextWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import {
  countLines,
  linesOfDocument,
  linesOfRange,
  type SelectedCode,
  toSelectedCode,
} from '../workspace/selectedCode.ts';
import { labelOf } from '../workspace/textSources.ts';

const t = vscode.l10n.t;

type Reference = Pick<vscode.ChatPromptReference, 'value'>;

export type NamedCommand = Extract<Expanded, { kind: 'command' }>;

export interface NamedCommandDeps {
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly reads: Pick<AllowedReads, 'ask' | 'allows'>;
}

export type AskedByCommand<Attached extends Reference> =
  | {
      readonly ok: true;
      readonly question: Question;
      /** The references other than the code of the question. */
      readonly others: readonly Attached[];
    }
  | { readonly ok: false; readonly why: string };

const refused = (why: string) => ({ ok: false, why }) as const;

/**
 * The question of a command about attached lines, an attached file, or else the code in the editor. Only Explain has one: the answers
 * of the other commands are proposals or findings, which this chat can't show.
 */
export async function askByCommand<Attached extends Reference>(
  { command, words }: NamedCommand,
  prompt: string,
  references: readonly Attached[],
  { lastEditor, reads }: NamedCommandDeps,
): Promise<AskedByCommand<Attached>> {
  if (command !== 'k3.explain') return refused(describeElsewhere(prompt));
  const attached = await findAttached(references);
  const others = references.filter(({ value }) => value !== attached);
  const found = attached === undefined ? await codeInEditor(lastEditor) : await codeOf(attached, reads);
  if ('why' in found) return refused(found.why);
  const question = toQuestion({ task: 'explain', code: found, instruction: words, diagnostics: [] });
  // Shown as the user wrote it: the chat finds the exchange again by this text.
  return { ok: true, question: { ...question, asked: prompt }, others };
}

function describeElsewhere(prompt: string): string {
  const [name = ''] = prompt.split(/\s/, 1);
  return t(
    '“{0}” can’t be used in this chat, because its answer is reviewed in K3. Send the same message in the chat of K3. Nothing was sent.',
    name,
  );
}

/** The first attached lines, or else the first attached file. */
async function findAttached(
  references: readonly Reference[],
): Promise<vscode.Uri | vscode.Location | undefined> {
  const values = references.map(({ value }) => value);
  const lines = values.find((value) => value instanceof vscode.Location);
  if (lines !== undefined) return lines;
  for (const value of values) {
    if (!(value instanceof vscode.Uri) || isImageFile(value.path)) continue;
    if ((await fileKindOf(value)) === 'file') return value;
  }
  return undefined;
}

async function codeOf(
  value: vscode.Uri | vscode.Location,
  reads: Pick<AllowedReads, 'ask' | 'allows'>,
): Promise<SelectedCode | { readonly why: string }> {
  const range = value instanceof vscode.Location ? value.range : undefined;
  const uri = value instanceof vscode.Location ? value.uri : value;
  if (!(await reads.ask([uri])).has(uri)) return { why: t('{0} wasn’t sent.', labelOf(uri)) };
  try {
    const document = await vscode.workspace.openTextDocument(uri);
    // A symbolic link may lead to another file by now.
    if (!(await reads.allows(uri, 'text')))
      return { why: t('{0} couldn’t be read and wasn’t sent.', labelOf(uri)) };
    if (document.getText().trim() === '') return { why: t('This file is empty.') };
    const { start, end } =
      range === undefined ? { start: 0, end: countLines(document) - 1 } : linesOfRange(range);
    const code = linesOfDocument(document, start, end);
    // The user has attached these lines themselves.
    const selected = range === undefined ? {} : { selected: true as const };
    return isCodeTooLong({ ...code, ...selected })
      ? { why: describeReadFailure(code.path, 'too-large') }
      : code;
  } catch {
    // A document that the editor can't open, for example because it is not text.
    return { why: t('{0} couldn’t be read and wasn’t sent.', labelOf(uri)) };
  }
}

async function codeInEditor(
  lastEditor: Pick<LastEditor, 'get'>,
): Promise<SelectedCode | { readonly why: string }> {
  const editor = activeEditor(lastEditor);
  if (editor === undefined)
    return {
      why: t(
        'Open a file and select the code to ask about. If nothing is selected, the code around the cursor is used.',
      ),
    };
  const code = await toSelectedCode(editor);
  if (code === undefined) return { why: t('This file is empty.') };
  let why = '';
  const say = (text: string) => {
    why = text;
  };
  return (await askToInclude(code, say)) ?? { why: why || t('{0} wasn’t sent.', labelOf(code.document.uri)) };
}
