/** Previews the requests of Edit Here and Resolve with K3 for the active editor. */
import * as vscode from 'vscode';
import type { LineRange } from '../../text/lineRange.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import { askForInput, showWarning } from '../base/notifications.ts';
import { titleOfTask } from '../code/codeQuestions.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { nextConversation, type Preview, type Previewed } from '../conversations/questionPreviews.ts';
import { linesText } from '../wording/linesText.ts';
import type { SelectedCode } from '../workspace/selectedCode.ts';
import type { NewStep } from './editAnswers.ts';
import type { Edits } from './edits.ts';
import { conflictTargetOf, findCodeHere, findConflict, linesIn, meets, showRunning } from './editTargets.ts';

const t = vscode.l10n.t;

export interface EditPreviewDeps {
  readonly edits: Pick<Edits, 'ofFile' | 'isRunning' | 'conversationOf' | 'questionOf'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>;
  readonly prompts: Pick<Prompts, 'preview'>;
}

export const toEditPreviews = (deps: EditPreviewDeps): readonly Preview[] => [
  {
    title: titleOfTask('edit'),
    async make() {
      const code = await findCodeHere(deps.lastEditor.get());
      return code && previewAt(deps, code, (lines) => askForStep(deps, code, lines));
    },
  },
  {
    title: t('Resolve with K3'),
    async make() {
      const code = await findConflict(conflictTargetOf(deps.lastEditor.get()));
      if (code === undefined) return undefined;
      const lines = linesIn(code);
      return previewAt(deps, code, async () => ({ task: 'resolve', words: '', diagnostics: [], lines }));
    },
  },
];

/** @param ask returns the step of the edit; undefined if the user cancels */
async function previewAt(
  { edits, conversations }: EditPreviewDeps,
  code: SelectedCode,
  ask: (lines: LineRange) => Promise<NewStep | undefined>,
): Promise<Previewed | undefined> {
  const { document, startLine, endLine, selected = false } = code;
  const known = edits.ofFile(document.uri);
  if (known !== undefined && edits.isRunning(known)) return void showRunning(known);
  const goesOn = known !== undefined && known.steps.length > 0 && meets(known, code) ? known : undefined;
  const edit = goesOn ?? { uri: document.uri, lines: { startLine, endLine }, selected, steps: [] };
  const step = await ask(edit.lines);
  if (step === undefined) return undefined;
  const question = await edits.questionOf({ ...edit, lines: step.lines ?? edit.lines }, step);
  const id = goesOn && edits.conversationOf(goesOn);
  const conversation = id === undefined ? undefined : conversations.get(id);
  // The choice about instructions in an edit without questions is kept for other lines.
  const chosenIn = goesOn ?? (known?.steps.length === 0 ? known : undefined);
  const leaves = chosenIn?.leavesOut === true ? { leavesOut: true } : {};
  return { conversation: conversation ?? nextConversation(conversations), question, ...leaves };
}

/** Asks for the text of the question, because the text in the box of a thread can't be read before it is sent. */
async function askForStep(
  { prompts }: Pick<EditPreviewDeps, 'prompts'>,
  code: SelectedCode,
  lines: LineRange,
): Promise<NewStep | undefined> {
  const text = await askForInput({
    title: titleOfTask('edit'),
    prompt: linesText(code.path, lines.startLine, lines.endLine),
  });
  const words = text?.trim() ?? '';
  if (words === '') return undefined;
  const found = await prompts.preview(words, { path: code.path, ...lines });
  if (found?.kind === 'missing') return void showWarning(found.why);
  const prompt = found?.kind === 'prompt' ? found.asked : undefined;
  return { task: 'edit', words, diagnostics: [], ...(prompt && { prompt }) };
}
