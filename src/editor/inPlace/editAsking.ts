/** Asks the questions of an edit, all in one conversation, in the same way as other commands on code. */
import * as vscode from 'vscode';
import { toConversationTitle } from '../../conversation/conversationTitle.ts';
import type { Question } from '../../conversation/question.ts';
import { type Refusal, refuse } from '../../requests/refusal.ts';
import { askToInclude } from '../code/codeQuestions.ts';
import type { Prompts } from '../composer/prompts.ts';
import { createTypedInputs } from '../composer/typedInputs.ts';
import { askWithKeyPrompt } from '../conversations/asking.ts';
import { orDeleteAside } from '../conversations/conversationAside.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { isFree } from '../conversations/freeConversation.ts';
import type { AskResult } from '../conversations/turnStart.ts';
import { confirmReplacing } from '../proposals/proposeEdits.ts';
import { isGone } from '../workspace/fileKinds.ts';
import { toPath } from '../workspace/selectedCode.ts';
import { isBinaryDocument } from '../workspace/textSources.ts';
import { type EditAnswers, isWaiting, type NewStep } from './editAnswers.ts';
import type { Edit, EditStep } from './editList.ts';
import { takePrompt } from './editPromptFiles.ts';
import type { EditQuestions } from './editQuestions.ts';

export interface EditAskingDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'get' | 'createAside' | 'delete' | 'find' | 'isRunning' | 'holder' | 'ask' | 'stop'
  >;
  readonly answers: EditAnswers;
  readonly questions: Pick<EditQuestions, 'codeOf' | 'toStepQuestion'>;
  readonly prompts: Pick<Prompts, 'expand'>;
  /**
   * Called when the state of a step has changed.
   *
   * @param step the step; undefined if it was added, asked again, or stopped
   */
  onStep(edit: Edit, step?: EditStep): void;
}

export interface EditAsking {
  /** Asks a question now, or when the running answer has ended. Resolves when it is sent or refused. */
  ask(edit: Edit, step: NewStep): Promise<void>;
  /** Asks a question again that was refused or not sent, by its index. Does nothing if it is already being asked. */
  askAgain(edit: Edit, index: number): Promise<void>;
  /** Asks the next waiting question, if the previous answer has ended. */
  goOn(edit: Edit): Promise<void>;
  /** Stops the running answer. Questions that are waiting or being prepared aren't sent. */
  stop(edit: Edit): void;
}

const toUnreadable = ({ uri }: Edit): Refusal => ({
  kind: 'transport',
  message: vscode.l10n.t('{0} couldn’t be read and wasn’t sent.', toPath({ uri })),
});

export function createEditAsking(deps: EditAskingDeps): EditAsking {
  const { conversations, answers, prompts, onStep } = deps;
  const { codeOf, toStepQuestion } = deps.questions;
  const { conversationOf, isBusy, isStepRunning } = answers;
  /** The conversations in which steps are being prepared. */
  const preparing = new Map<EditStep, string>();
  /** Text that was typed in inputs of prompt files. It is offered again when the question is asked again. */
  const inputs = createTypedInputs();

  /**
   * Asks in the conversation of the edit. The first question is asked in the conversation of the chat in front, or in a new one if
   * that one is busy.
   */
  async function askSomewhere(edit: Edit, step: EditStep, question: Question) {
    const known = conversationOf(edit);
    const open = known ?? conversations.front().id;
    const choices = edit.leavesOut ? { leavesOut: true as const } : {};
    const sent = (id: string) =>
      askWithKeyPrompt(async (options) => {
        if (step.state.kind !== 'sending') return refuse({ kind: 'stopped' });
        preparing.set(step, id);
        return conversations.ask(id, question, options).finally(() => preparing.delete(step));
      }, choices);
    if (known !== undefined || isFree(conversations, open)) {
      const asked = await sent(open);
      const isTaken = !asked.ok && asked.refusal.kind === 'running';
      // Another edit may have asked in this conversation meanwhile.
      if (known !== undefined || !isTaken) return asked;
    }
    const { id } = conversations.createAside(toConversationTitle(question, ''));
    const asked = await orDeleteAside(conversations, id, sent(id));
    if (!asked.ok) conversations.delete(id, false);
    return asked;
  }

  /** Reads the prompt file of a step, also when it is asked again, so that its current text is used. */
  async function prepare(edit: Edit, step: EditStep): Promise<void> {
    await takePrompt({ prompts, onStep, typed: inputs.of(edit.id) }, edit, step);
    await goOn(edit);
  }

  async function send(edit: Edit, step: EditStep): Promise<void> {
    const put = (state: EditStep['state']) => {
      step.state = state;
      onStep(edit, step);
    };
    put({ kind: 'sending' });
    await sendNow(edit, step).then(put, (error: unknown) => {
      put({ kind: 'refused', refusal: { kind: 'transport', message: String(error) } });
      throw error;
    });
  }

  /** Sends a question. Returns the new state of its step. */
  async function sendNow(edit: Edit, step: EditStep): Promise<EditStep['state']> {
    const isStopped = () => step.state.kind !== 'sending';
    if (step.lines !== undefined) Object.assign(edit, { lines: step.lines, deleted: step.deleted });
    // The editor keeps the document of a deleted file, for example while there is a thread on it.
    if (await isGone(edit.uri)) return { kind: 'refused', refusal: toUnreadable(edit) };
    const code = await codeOf(edit);
    if (isStopped()) return { kind: 'not-sent' };
    if (isBinaryDocument(code.document)) return { kind: 'refused', refusal: toUnreadable(edit) };
    const inWay = answers.hunksInWay(edit, code);
    if (!(await confirmReplacing(inWay)) || isStopped()) return { kind: 'not-sent' };
    const included = await askToInclude(code);
    if (included === undefined || isStopped()) return { kind: 'not-sent' };
    const question = toStepQuestion(edit, step, included);
    const asked = await askSomewhere(edit, step, question);
    if (asked.ok) {
      edit.selected = false;
      inputs.forget(edit.id);
    }
    if (!asked.ok && isStopped()) return { kind: 'not-sent' };
    // A question of the chat was sent first.
    if (!asked.ok && asked.refusal.kind === 'running' && isBusy(edit)) return { kind: 'waiting' };
    if (!asked.ok) return { kind: 'refused', refusal: asked.refusal };
    const state = toSent(asked);
    // The step was stopped at the moment when it was sent.
    if (isStopped() && state.kind === 'sent') conversations.stop(state.conversationId);
    return state;
  }

  function toSent({ turnId }: Extract<AskResult, { ok: true }>): EditStep['state'] {
    const found = conversations.find(turnId);
    return found === undefined
      ? { kind: 'not-sent' }
      : { kind: 'sent', conversationId: found.conversation.id, exchangeId: found.exchange.id };
  }

  async function goOn(edit: Edit): Promise<void> {
    const next = edit.steps.find(isWaiting);
    if (next === undefined || edit.ended || edit.steps.some(isStepRunning) || isBusy(edit)) return;
    // Continues with the next one, because this one may have been refused or answered at once.
    await send(edit, next).finally(() => goOn(edit));
  }

  function stopStep(step: EditStep): void {
    const { state } = step;
    if (state.kind === 'waiting' || state.kind === 'sending') step.state = { kind: 'not-sent' };
    const asking = state.kind === 'sent' && isStepRunning(step) ? state.conversationId : preparing.get(step);
    if (asking !== undefined) conversations.stop(asking);
  }

  return {
    async ask(edit, step) {
      const added: EditStep = { ...step, state: { kind: 'waiting' } };
      edit.steps.push(added);
      onStep(edit);
      await prepare(edit, added);
    },
    async askAgain(edit, index) {
      const step = edit.steps[index];
      if (step?.state.kind !== 'refused' && step?.state.kind !== 'not-sent') return;
      step.state = { kind: 'waiting' };
      onStep(edit);
      await prepare(edit, step);
    },
    goOn,
    stop(edit) {
      edit.steps.forEach(stopStep);
      onStep(edit);
    },
  };
}
