/** Creates the questions of an edit as they would be asked now, and lists what else would be sent. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { NOT_ACCEPTED_YET } from '../../conversation/prompts/codePrompts.ts';
import type { Question } from '../../conversation/question.ts';
import { linesAround, toQuestion } from '../code/codeQuestions.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { isFree } from '../conversations/freeConversation.ts';
import { openText } from '../proposals/fileDocuments.ts';
import { linesOfDocument, type SelectedCode } from '../workspace/selectedCode.ts';
import { findDocument } from '../workspace/textSources.ts';
import type { AskedEdit, EditAnswers, NewStep } from './editAnswers.ts';
import type { Along } from './editLabel.ts';
import type { Edit } from './editList.ts';
import { withPrompt } from './editPromptFiles.ts';

export interface EditQuestionsDeps {
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'holder' | 'isRunning'>;
  readonly answers: Pick<EditAnswers, 'openProposal' | 'conversationOf'>;
  readonly instructions: Pick<Instructions, 'due'>;
}

export interface EditQuestions {
  /** The current code in the lines of an edit. */
  codeOf(edit: Pick<Edit, 'uri' | 'lines' | 'selected'>): Promise<SelectedCode>;
  /** The question of a step about these lines. */
  toStepQuestion(edit: AskedEdit, step: NewStep, code: SelectedCode): Question;
  /** The question of a step as it would be asked now. */
  questionOf(edit: AskedEdit, step: NewStep): Promise<Question>;
  /** The labels of the instruction files that would be sent with the next question of an edit. */
  instructionsOf(edit: Edit): Promise<readonly string[]>;
  /** What else would be sent with the next question. */
  alongOf(edit: Edit): Along;
}

export function createEditQuestions({
  conversations,
  answers,
  instructions,
}: EditQuestionsDeps): EditQuestions {
  async function codeOf(edit: Pick<Edit, 'uri' | 'lines' | 'selected'>) {
    const document = await openDocument(edit);
    // Opening the document may have moved the lines.
    const { lines, selected } = edit;
    const code = linesOfDocument(document, lines.startLine, lines.endLine);
    return selected ? ({ ...code, selected: true } as const) : code;
  }

  function toStepQuestion(edit: AskedEdit, step: NewStep, code: SelectedCode): Question {
    const { task, words, diagnostics, prompt } = step;
    const revised = answers.openProposal(edit, step, code);
    const note = revised === undefined ? {} : { note: NOT_ACCEPTED_YET };
    const asked = { task, code, instruction: prompt?.text ?? words, diagnostics, ...note };
    const question = withPrompt(toQuestion(asked), step);
    return revised === undefined ? question : { ...question, revises: revised.id };
  }

  const questionOf = async (edit: AskedEdit, step: NewStep) => toStepQuestion(edit, step, await codeOf(edit));

  /** The conversation in which the next question would be asked. Undefined for a new one. */
  function nextOf(edit: Edit): Conversation | undefined {
    const known = answers.conversationOf(edit);
    if (known !== undefined) return conversations.get(known);
    const front = conversations.front();
    return isFree(conversations, front.id) ? front : undefined;
  }

  async function instructionsOf(edit: Edit): Promise<readonly string[]> {
    if (edit.leavesOut) return [];
    const question = await questionOf(edit, { task: 'edit', words: '', diagnostics: [] });
    const { id, exchanges } = nextOf(edit) ?? { id: '', exchanges: [] };
    const items = await instructions.due(id, exchanges, question);
    return items.filter(({ ended }) => ended !== true).map(({ label }) => label);
  }

  function alongOf(edit: Edit): Along {
    const { uri, lines, steps } = edit;
    const document = findDocument(uri);
    const around = document === undefined ? [] : linesAround({ document, ...lines });
    return {
      around: around.reduce((sum, { startLine, endLine }) => sum + endLine - startLine + 1, 0),
      earlier: steps.length > 0 ? 0 : (nextOf(edit)?.exchanges.length ?? 0),
      problems: steps.at(-1)?.diagnostics.length ?? 0,
    };
  }

  return { codeOf, toStepQuestion, questionOf, instructionsOf, alongOf };
}

/**
 * Opens the document of an edit. When a cell is opened, its notebook is opened as well, which can give the cell another URI. Another cell
 * then has the previous one, or none.
 */
async function openDocument(edit: Pick<Edit, 'uri'>): Promise<vscode.TextDocument> {
  const { uri } = edit;
  const first = await openText(uri);
  const isSame = edit.uri.toString() === uri.toString();
  return first !== undefined && isSame ? first : vscode.workspace.openTextDocument(edit.uri);
}
