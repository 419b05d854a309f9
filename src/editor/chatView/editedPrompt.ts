/** An edited question that names a prompt file or a command, as a message does. */
import * as vscode from 'vscode';
import { toEditedQuestion } from '../../conversation/continuingQuestion.ts';
import { type Question, withContext } from '../../conversation/question.ts';
import { typedWords } from '../../conversation/shownQuestion.ts';
import { joinSentences } from '../base/sentences.ts';
import { toQuestionParts } from '../composer/imageIntake.ts';
import type { Expanded, Prompts, Waits } from '../composer/prompts.ts';
import type { HeldReference, ReadContext } from '../context/contextResult.ts';
import type { InputClosed } from '../conversations/asking.ts';

const t = vscode.l10n.t;

export interface EditedPromptDeps {
  readonly prompts: Pick<Prompts, 'expand'>;
  /** Waits for the prompt files. */
  readonly waits: Waits;
  /** Reads what a prompt references. Undefined if the user stops that. */
  read(references: readonly HeldReference[]): Promise<ReadContext | undefined>;
}

export type EditedPrompt =
  | { readonly ok: true; readonly question: Question }
  /** Nothing is asked, for the reason `why`; undefined if the user canceled or stopped it, and so knows the reason. */
  | { readonly ok: false; readonly why: string | undefined };

/**
 * The question after the user has edited it. If a command made the question, the user has edited the words for that
 * command.
 *
 * @param typed what the user typed in inputs of prompts that were not sent, as for `expand`
 */
export async function toEditedPrompt(
  { prompts, waits, read }: EditedPromptDeps,
  old: Question,
  text: string,
  inputClosed: InputClosed | undefined,
  typed: Map<string, string>,
): Promise<EditedPrompt> {
  const edited = toEditedQuestion(old, text);
  const isPlain = text === old.text || typedWords(old) !== undefined;
  const expanded: Expanded = isPlain
    ? { kind: 'plain' }
    : await prompts.expand(text, inputClosed, { typed, waits });
  switch (expanded.kind) {
    case 'plain':
      // The question of a command contains lines of code, which are sent as they are.
      return { ok: true, question: isPlain || old.asked !== undefined ? edited : withNamedImages(edited) };
    case 'canceled':
      return { ok: false, why: undefined };
    case 'missing':
      return { ok: false, why: expanded.why };
    case 'command':
      return {
        ok: false,
        why: t('A command can’t take the place of a question. Send “{0}” as a new message.', text),
      };
    case 'prompt': {
      const meant = await read(expanded.references);
      if (meant === undefined) return { ok: false, why: undefined };
      const { context, problems } = meant;
      if (problems.length > 0) return { ok: false, why: joinSentences(problems) };
      // Without the fields that an earlier prompt or a command has set.
      const { effort, tools, asked, purpose, revises, more, ...plain } = edited;
      const origin = purpose === undefined ? plain.origin : undefined;
      const known = (plain.context ?? []).filter(({ uri, kind, label }) =>
        context.every((one) => one.uri !== uri || one.kind !== kind || one.label !== label),
      );
      return {
        ok: true,
        question: withNamedImages(
          withContext({ ...plain, ...expanded.asked, origin }, [...known, ...context]),
        ),
      };
    }
  }
}

/** Adds the images that the text of a question references, as the message box does. */
function withNamedImages(question: Question): Question {
  const { text, images } = toQuestionParts(question.text, []);
  const known = new Set(question.images.map(({ url }) => url));
  return { ...question, text, images: [...question.images, ...images.filter(({ url }) => !known.has(url))] };
}
