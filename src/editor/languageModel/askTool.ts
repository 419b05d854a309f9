/** The tool `k3_ask_svc_k3`: other models in the editor ask svc-k3 a question, after the user confirms. */
import * as vscode from 'vscode';
import { cutText } from '../../conversation/cutText.ts';
import { estimateRequest } from '../../conversation/usage/estimate.ts';
import { type ActiveRoute, pricesOf, whyNoRoute } from '../../requests/credentials.ts';
import { type OtherRequest, toOtherChatContent } from '../../requests/otherChatRequest.ts';
import type { Turns } from '../../requests/turns.ts';
import { fence } from '../../text/fences.ts';
import { showHidden } from '../../text/hiddenCharacters.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import { MAX_MARKDOWN } from '../base/markdownLimit.ts';
import { fieldOf } from '../base/ownField.ts';
import { joinSentences } from '../base/sentences.ts';
import type { Routes } from '../connection/routes.ts';
import { readSettings } from '../settings/settings.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { ASK_TOOL } from './names.ts';
import type { OtherChats } from './otherChats.ts';

const t = vscode.l10n.t;

export interface AskToolDeps {
  readonly otherChats: OtherChats;
  readonly routes: Pick<Routes, 'active'>;
  readonly turns: Pick<Turns, 'build' | 'tokenRatio'>;
}

/** Input from a model, which is not validated. */
export interface AskInput {
  readonly question?: unknown;
  readonly context?: unknown;
}

type AskTool = Required<vscode.LanguageModelTool<AskInput>>;

/** How many texts are remembered together with the place where they were to be sent. */
const MAX_SHOWN = 100;

export function createAskTool({ otherChats, routes, turns }: AskToolDeps): AskTool {
  const confirmed = createConfirmed(() => placeOf(routes.active()));

  /**
   * Asks svc-k3. If the answer was cut off, the error contains the part that has arrived: a tool that fails has no other place for it.
   */
  async function answerTo(text: string, token: vscode.CancellationToken): Promise<string> {
    let soFar = '';
    const listener = {
      answer(added: string) {
        soFar += added;
      },
      reasoning: () => undefined,
    };
    try {
      return (await otherChats.ask(toRequest(text), listener, token)).answer;
    } catch (error) {
      if (soFar.trim() === '' || !(error instanceof Error) || error instanceof vscode.CancellationError)
        throw error;
      throw new Error(`${error.message}\n\n${t('The answer so far: {0}', soFar)}`, { cause: error });
    }
  }

  return {
    prepareInvocation(options) {
      const text = toPrompt(options.input);
      confirmed.add(text, chatOf(fieldOf(options, 'chatSessionResource')));
      return {
        invocationMessage: t('Asking svc-k3'),
        confirmationMessages: {
          title: t('Ask svc-k3?'),
          message: describeSending(text, routes.active(), turns),
        },
      };
    },
    async invoke({ input, toolInvocationToken }, token) {
      const text = toPrompt(input);
      if (!confirmed.take(text, chatOf(fieldOf(toolInvocationToken, 'sessionResource'))))
        throw new Error(
          t(
            'The active route was changed after this question was confirmed, so the question was not sent. Ask again.',
          ),
        );
      const answer = await answerTo(text, token);
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(answer)]);
    },
  };
}

/** Remembers where texts were to be sent when the user was asked. */
function createConfirmed(placeNow: () => string) {
  /**
   * The confirmations by text, one for each time the user was asked: two chats can ask the same. `place` is undefined after a chat was
   * told that the route has changed.
   */
  const shown = new Map<string, readonly { readonly chat?: string | undefined; readonly place?: string }[]>();
  return {
    add(text: string, chat: string | undefined): void {
      const place = placeNow();
      const others = (shown.get(text) ?? []).filter((one) =>
        // A chat that asks again after a change no longer waits for its earlier confirmation: the user has refused it.
        chat === undefined ? one.place !== undefined : one.chat !== chat || one.place === place,
      );
      shown.delete(text);
      shown.set(text, [...others, { chat, place }]);
      for (const oldest of shown.keys()) if (shown.size > MAX_SHOWN) shown.delete(oldest);
    },
    /** Whether a text may be sent now. If not, the user is asked again when the chat asks again. */
    take(text: string, chat: string | undefined): boolean {
      const all = shown.get(text) ?? [];
      const own = all.filter((one) => one.chat === chat);
      const mine = own.length === 0 ? all : own;
      const isSame = mine.every(({ place }) => place === placeNow());
      const left = isSame ? mine.slice(1) : [{ chat }];
      const next = [...all.filter((one) => !mine.includes(one)), ...left];
      if (next.length === 0) shown.delete(text);
      else shown.set(text, next);
      return isSame;
    },
  };
}

/** The ID of a chat of the editor. Newer editors pass it, although it isn't part of their stable API yet. */
function chatOf(resource: unknown): string | undefined {
  const path = fieldOf(resource, 'path');
  return typeof path === 'string' ? JSON.stringify([fieldOf(resource, 'authority'), path]) : undefined;
}

/** Where a text goes, and whether that is billed. */
const placeOf = (active: ActiveRoute | undefined): string =>
  JSON.stringify([
    active?.route.name,
    active?.route.root,
    active?.route.model,
    active?.demoKey !== undefined,
  ]);

/** The message to send: the context first, then the question. Throws when a field has the wrong type. */
function toPrompt(input: AskInput | null | undefined): string {
  const { question, context } = input ?? {};
  if (typeof question !== 'string' || question.trim() === '')
    throw new Error(t('The tool {0} requires “question”, a non-empty string.', ASK_TOOL));
  if (context !== undefined && context !== null && typeof context !== 'string')
    throw new Error(t('“context” of the tool {0} must be a string or omitted.', ASK_TOOL));
  return typeof context === 'string' && context.trim() !== '' ? `${context}\n\n${question}` : question;
}

const toRequest = (text: string): OtherRequest => ({
  messages: [{ role: 'user', parts: [{ type: 'text', text }] }],
  tools: [],
});

/**
 * The exact text to send, in a code block without links, and with invisible characters shown as codes. If the editor would truncate the
 * text, only its beginning, with a note that says so.
 */
function describeSending(
  text: string,
  active: ActiveRoute | undefined,
  turns: AskToolDeps['turns'],
): vscode.MarkdownString {
  const shown = showHidden(text);
  const billing = describeBilling(text, active, turns);
  const note = t('Only the beginning of the text is shown here. All of it is sent.');
  const toMarkdown = (part: string, words: string) =>
    new vscode.MarkdownString().appendText(words).appendMarkdown(`\n\n${fence(part, 'text')}\n`);
  let markdown = toMarkdown(shown, billing);
  // The fence of the code block can be long as well.
  for (let length = 0.9 * MAX_MARKDOWN; markdown.value.length > MAX_MARKDOWN; length /= 2)
    markdown = toMarkdown(cutText(shown, Math.floor(length)), joinSentences([billing, note]));
  return markdown;
}

function describeBilling(text: string, active: ActiveRoute | undefined, turns: AskToolDeps['turns']): string {
  const settings = readSettings();
  if (active === undefined) return describeRefusal(whyNoRoute(settings.problems));
  if (active.demoKey !== undefined)
    return t('This text is sent to the demo, which is part of K3 Chat. Nothing is billed.');
  const { route } = active;
  // The request contains no answers whose reasoning could be remembered.
  const content = toOtherChatContent(toRequest(text), { recall: () => undefined }, settings, route);
  if (!content.ok) return describeRefusal(content.refusal);
  const prices = pricesOf(active, settings.prices);
  const built = turns.build(content, route, prices);
  if (!built.ok) return describeRefusal({ kind: 'request', problem: built.problem });
  const estimate = estimateRequest(built.request, undefined, prices, turns.tokenRatio(route));
  return t(
    'This text is sent to the service on route “{0}” and billed: about {1} input tokens ({2}), plus output tokens.',
    route.name,
    formatTokens(estimate.promptTokens),
    formatCost(estimate.inputCost),
  );
}
