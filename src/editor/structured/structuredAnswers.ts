/** Answers that were asked for as JSON: compared with what was asked once they are whole, saved, and asked for again. */
import * as vscode from 'vscode';
import {
  checkAnswerFormat,
  type FormatCheck,
  type FormatVerdict,
  type SchemaCheck,
} from '../../chat/answerFormat.ts';
import type { Question, Turn } from '../../chat/turn.ts';
import type { StructuredAction } from '../../panel/views.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { offerToOpen, toDefaultUri, writeFile } from '../base/savedFiles.ts';
import { askWithOffers, tellRefusal } from '../conversations/asking.ts';
import type { Conversations, Found } from '../conversations/conversationList.ts';
import { toRepairText } from './structuredWords.ts';

const t = vscode.l10n.t;

export interface StructuredAnswers extends vscode.Disposable {
  /**
   * What an answer was asked for, and what became of it; undefined for text. Asking begins the comparison of an answer
   * that is whole.
   */
  judged(turn: Turn, question: Pick<Question, 'purpose' | 'format'> | undefined): FormatCheck | undefined;
  /** The verdict on a turn, by its id, is there. */
  readonly onDidJudge: vscode.Event<string>;
  perform(action: StructuredAction, turnId: string): Promise<void>;
}

export interface StructuredAnswersDeps {
  readonly conversations: Pick<Conversations, 'find' | 'ask'>;
  readonly log: Log;
}

/** The library of schemas is loaded when the first one is used. */
export async function loadSchemaCheck(): Promise<SchemaCheck> {
  const { createSchemaCheck } = await import('../../chat/schemaCheck.ts');
  return createSchemaCheck();
}

export function createStructuredAnswers({ conversations, log }: StructuredAnswersDeps): StructuredAnswers {
  const judgedTurns = new vscode.EventEmitter<string>();
  /** By turn. A whole answer does not change any more; undefined while it is compared. */
  const verdicts = new Map<string, FormatVerdict | undefined>();

  async function judge({ id, answer }: Turn, format: FormatCheck['format']): Promise<void> {
    verdicts.set(id, undefined);
    const check = loadSchemaCheck().then((loaded) => checkAnswerFormat(answer, format, loaded));
    verdicts.set(
      id,
      await check.catch((error: unknown) => {
        log.warn(`couldn't check an answer: ${String(error)}`);
        return { kind: 'unchecked', why: String(error) } as const;
      }),
    );
    judgedTurns.fire(id);
  }

  function judged(turn: Turn, question: Pick<Question, 'purpose' | 'format'> | undefined) {
    const format = question?.purpose === undefined ? question?.format : undefined;
    if (format === undefined) return undefined;
    // One that was cut can look whole.
    const whole = turn.outcome === 'complete' && turn.answer.trim() !== '';
    if (whole && !verdicts.has(turn.id)) inBackground(log, judge(turn, format), 'checking an answer');
    return { format, verdict: whole ? verdicts.get(turn.id) : undefined };
  }

  async function repair({ conversation, exchange, turn }: Found): Promise<void> {
    const known = judged(turn, exchange.question);
    if (known?.verdict === undefined) return;
    const text = toRepairText(turn.answer, known.verdict);
    const question = { text, images: [], origin: undefined, format: known.format };
    await tellRefusal(
      await askWithOffers((options) => conversations.ask(conversation.id, question, options)),
    );
  }

  return {
    judged,
    onDidJudge: judgedTurns.event,
    async perform(action, turnId) {
      const found = conversations.find(turnId);
      if (found === undefined) return;
      if (action === 'repair') await repair(found);
      else await save(found);
    },
    dispose: () => judgedTurns.dispose(),
  };
}

/** The text as it came: what it was checked as is also what is kept. */
async function save({ exchange, turn }: Found): Promise<void> {
  const { format } = exchange.question;
  const name = format?.kind === 'schema' ? format.name : 'answer';
  const target = await vscode.window.showSaveDialog({
    title: t('Save Answer'),
    ...toDefaultUri(`${name}.json`),
    filters: { JSON: ['json'] },
  });
  if (target === undefined) return;
  if (await writeFile(target, Buffer.from(turn.answer)))
    await offerToOpen(t('The answer was saved.'), target);
}
