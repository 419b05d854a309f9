/** Expands prompt files in the questions of edits, as in messages of the chat. */
import type { Question } from '../../conversation/question.ts';
import { toAsked } from '../../conversation/shownQuestion.ts';
import { typedPrompt } from '../../instructions/promptFile.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { titleOfTask } from '../code/codeQuestions.ts';
import type { Prompts } from '../composer/prompts.ts';
import { toPath } from '../workspace/selectedCode.ts';
import type { NewStep } from './editAnswers.ts';
import type { Edit, EditStep } from './editList.ts';

export interface TakePromptDeps {
  readonly prompts: Pick<Prompts, 'expand'>;
  /** Called when the state of a step has changed. */
  onStep(edit: Edit, step: EditStep): void;
  /** The text that the user has typed in inputs, as long as it isn't sent. */
  readonly typed: Map<string, string>;
}

/**
 * Finds the prompt file that the words of a step name, and asks for its inputs. Afterwards, the step waits, or isn't sent. The
 * current text of the file is used, also if the step is asked again.
 *
 * @throws if the prompt files can't be read; then the step isn't sent
 */
export async function takePrompt(
  { prompts, onStep, typed }: TakePromptDeps,
  edit: Edit,
  step: EditStep,
): Promise<void> {
  delete step.prompt;
  if (step.task !== 'edit' || typedPrompt(step.words) === undefined) return;
  const put = (state: EditStep['state']) => {
    step.state = state;
    onStep(edit, step);
  };
  put({ kind: 'sending' });
  const code = { path: toPath(edit), ...edit.lines };
  const inputOpens = () => {
    if (step.state.kind === 'sending') put({ kind: 'sending', input: true });
  };
  const about = { code, inputOpens, typed };
  const expanded = await prompts.expand(step.words, undefined, about).catch((error: unknown) => {
    put({ kind: 'not-sent', why: messageOf(error) });
    throw error;
  });
  // The user has stopped the step or ended the edit.
  if (step.state.kind !== 'sending') return;
  switch (expanded.kind) {
    case 'missing':
      return put({ kind: 'not-sent', why: expanded.why });
    case 'canceled':
      return put({ kind: 'not-sent' });
    case 'prompt':
      step.prompt = expanded.asked;
      return put({ kind: 'waiting' });
    // The box asks for a change, so the name of a command counts as plain text.
    case 'command':
    case 'plain':
      return put({ kind: 'waiting' });
  }
}

/** The question with a prompt file: it is shown as the user wrote it, and has the effort and the tools of the file. */
export function withPrompt(question: Question, { task, words, prompt }: NewStep): Question {
  if (prompt === undefined) return question;
  const { effort, tools } = prompt;
  return {
    ...question,
    asked: toAsked(titleOfTask(task), words),
    ...(effort && { effort }),
    ...(tools && { tools }),
  };
}
