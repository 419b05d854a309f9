/** A question of an edit that names a prompt file, as a message does. */
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
  /** A step of an edit has another state. */
  onStep(edit: Edit, step: EditStep): void;
  /** What the user has typed in inputs and was not sent. */
  readonly typed: Map<string, string>;
}

/**
 * Finds the prompt file that the words of a step name, and asks for its inputs. The step waits then, or isn't sent. What the
 * file says now is asked, also when the step is asked again.
 *
 * @throws when the prompt files can't be read; the step isn't sent then
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
  // The user has stopped it, or ended the edit.
  if (step.state.kind !== 'sending') return;
  switch (expanded.kind) {
    case 'missing':
      return put({ kind: 'not-sent', why: expanded.why });
    case 'canceled':
      return put({ kind: 'not-sent' });
    case 'prompt':
      step.prompt = expanded.asked;
      return put({ kind: 'waiting' });
    // The box asks for a change, so the name of a command is what the user wrote.
    case 'command':
    case 'plain':
      return put({ kind: 'waiting' });
  }
}

/** The question of a prompt file: shown as it was written, and with what the file says about its answer. */
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
