/** Answers in a JSON format: checks complete answers against the format, saves them, and requests repairs. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import {
  checkAnswerFormat,
  type FormatCheck,
  type FormatVerdict,
  type SchemaCheck,
} from '../../conversation/answerFormats/answerFormat.ts';
import { limitsOf } from '../../conversation/continuingQuestion.ts';
import { askedQuestion } from '../../conversation/conversation.ts';
import { toFileTitle } from '../../conversation/conversationMarkdown.ts';
import type { Question } from '../../conversation/question.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { StructuredAction } from '../../panel/views.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { importLater } from '../base/atFirstUse.ts';
import { inBackground } from '../base/background.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { Log } from '../base/log.ts';
import { offerToOpen, toDefaultUri, writeFile } from '../base/savedFiles.ts';
import { keptOptions } from '../connection/keptOptions.ts';
import type { Routes } from '../connection/routes.ts';
import { askOrExplain, type InputClosed } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { toRepairText } from './structuredWords.ts';

const t = vscode.l10n.t;

export interface StructuredAnswers extends vscode.Disposable {
  /**
   * The format of an answer and the result of its check; undefined for text. Starts the check of a complete answer that was not checked
   * yet.
   */
  judged(turn: Turn, question: Question | undefined): FormatCheck | undefined;
  /** Fires with the ID of a turn when its answer was checked. */
  readonly onDidJudge: vscode.Event<string>;
  /** @param inputClosed called when a file was chosen, or a key was asked for */
  perform(action: StructuredAction, turnId: string, inputClosed?: InputClosed): Promise<void>;
}

export interface StructuredAnswersDeps {
  readonly conversations: Pick<Conversations, 'find' | 'ask'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly log: Log;
}

/** The pause after a check, in milliseconds for each millisecond of the check. */
const PAUSE = 4;

/**
 * Returns a function that runs checks one after the other, with a pause after each that is longer than the check: an imported
 * conversation can have hundreds of schemas that each take the maximum time, which would block all extensions.
 */
function createCheckQueue(): <Result>(check: () => Result) => Promise<Result> {
  const queue = createKeyedQueue();
  let pausedUntil = 0;
  return (check) =>
    queue.run('', async () => {
      await pause(Math.max(0, pausedUntil - performance.now()), undefined, { ref: false });
      const begun = performance.now();
      try {
        return check();
      } finally {
        const ended = performance.now();
        pausedUntil = ended + PAUSE * (ended - begun);
      }
    });
}

/** Loads the JSON Schema library, which is not loaded at startup. */
export async function loadSchemaCheck(): Promise<SchemaCheck> {
  const { createSchemaCheck } = await importLater(
    () => import('../../conversation/answerFormats/schemaCheck.ts'),
  );
  return createSchemaCheck();
}

export function createStructuredAnswers({
  conversations,
  routes,
  log,
}: StructuredAnswersDeps): StructuredAnswers {
  const judgedTurns = new vscode.EventEmitter<string>();
  const inTurn = createCheckQueue();
  /**
   * By turn ID. The whole answer of a turn can change when another attempt of an earlier part is shown. The verdict is undefined while
   * the answer is checked.
   */
  const verdicts = new Map<
    string,
    { readonly answer: string; readonly verdict: FormatVerdict | undefined }
  >();

  async function judge({ id, answer }: Turn, format: FormatCheck['format']): Promise<void> {
    verdicts.set(id, { answer, verdict: undefined });
    const check = loadSchemaCheck().then((loaded) => inTurn(() => checkAnswerFormat(answer, format, loaded)));
    const verdict = await check.catch((error: unknown) => {
      log.warn(`couldn't check an answer: ${String(error)}`);
      return { kind: 'unchecked', why: messageOf(error) } as const;
    });
    // The answer may have changed in the meantime.
    if (verdicts.get(id)?.answer !== answer) return;
    verdicts.set(id, { answer, verdict });
    judgedTurns.fire(id);
  }

  /** The turn with its whole answer, if it continues an earlier one. */
  function withWholeAnswer(turn: Turn, { continues }: Question): Turn {
    const found = continues === undefined ? undefined : conversations.find(turn.id);
    return found === undefined ? turn : { ...turn, answer: wholeTextOf({ ...found, turn }) };
  }

  function judged(part: Turn, question: Question | undefined) {
    const format = question?.purpose === undefined ? question?.format : undefined;
    if (format === undefined) return undefined;
    // An answer that was cut off can still be valid JSON.
    const isComplete = part.outcome === 'complete' && part.answer.trim() !== '';
    if (question === undefined || !isComplete) return { format, verdict: undefined };
    const turn = withWholeAnswer(part, question);
    if (verdicts.get(turn.id)?.answer !== turn.answer)
      inBackground(log, judge(turn, format), 'checking an answer');
    return { format, verdict: verdicts.get(turn.id)?.verdict };
  }

  async function repair(found: Found, inputClosed?: InputClosed): Promise<void> {
    const { conversation, exchange, turn } = found;
    const known = judged(turn, exchange.question);
    if (known?.verdict === undefined) return;
    const text = toRepairText(wholeTextOf(found), known.verdict);
    const limits = limitsOf(askedQuestion(exchange, turn));
    const question = { text, images: [], origin: undefined, format: known.format, ...limits };
    await askOrExplain(
      (options) => conversations.ask(conversation.id, question, options),
      keptOptions(turn, routes),
      inputClosed,
    );
  }

  return {
    judged,
    onDidJudge: judgedTurns.event,
    async perform(action, turnId, inputClosed) {
      const found = conversations.find(turnId);
      if (found === undefined) return;
      if (action === 'repair') await repair(found, inputClosed);
      else await save(found, inputClosed);
    },
    dispose: () => judgedTurns.dispose(),
  };
}

const wholeTextOf = ({ conversation, exchange, turn }: Found) =>
  toWholeAnswer(conversation.exchanges, exchange.question, turn).text;

/** Saves the text that was checked, unchanged. */
async function save(found: Found, inputClosed?: InputClosed): Promise<void> {
  const { format } = found.exchange.question;
  const name = format?.kind === 'schema' ? format.name : 'answer';
  const target = await vscode.window.showSaveDialog({
    title: t('Save Answer'),
    // That of an imported conversation can be any text.
    ...toDefaultUri(`${toFileTitle(name, 'answer')}.json`),
    filters: { JSON: ['json'] },
  });
  inputClosed?.(target !== undefined);
  if (target === undefined) return;
  if (await writeFile(target, Buffer.from(wholeTextOf(found))))
    await offerToOpen(t('The answer was saved.'), target);
}
