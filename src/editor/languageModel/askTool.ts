/** The tool `k3_ask_svc_k3`: other models in the editor ask svc-k3 a question, after the user confirms. */
import * as vscode from 'vscode';
import { showHidden } from '../../access/hiddenCharacters.ts';
import { estimateRequest } from '../../conversation/usage/estimate.ts';
import { type ActiveRoute, pricesOf } from '../../requests/credentials.ts';
import { type OtherRequest, toOtherChatContent } from '../../requests/otherChatRequest.ts';
import type { Turns } from '../../requests/turns.ts';
import { fence } from '../../text/fences.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import { readSettings } from '../base/settings.ts';
import type { Routes } from '../connection/routes.ts';
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

export function createAskTool({ otherChats, routes, turns }: AskToolDeps): AskTool {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: t('Asking svc-k3'),
      confirmationMessages: {
        title: t('Ask svc-k3?'),
        message: describeSending(toPrompt(input), routes.active(), turns),
      },
    }),
    async invoke({ input }, token) {
      const text = toPrompt(input);
      const reply = await otherChats.ask(
        toRequest(text),
        { answer: () => undefined, reasoning: () => undefined },
        token,
      );
      return new vscode.LanguageModelToolResult([new vscode.LanguageModelTextPart(reply.answer)]);
    },
  };
}

/** The message to send: the context first, then the question. Throws when a field has the wrong type. */
function toPrompt({ question, context }: AskInput): string {
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

/** The exact text to send, in a code block without links, and with invisible characters as codes. */
function describeSending(
  text: string,
  active: ActiveRoute | undefined,
  turns: AskToolDeps['turns'],
): vscode.MarkdownString {
  return new vscode.MarkdownString()
    .appendText(describeBilling(text, active, turns))
    .appendMarkdown(`\n\n${fence(showHidden(text), 'text')}\n`);
}

function describeBilling(text: string, active: ActiveRoute | undefined, turns: AskToolDeps['turns']): string {
  if (active === undefined) return describeRefusal({ kind: 'no-route' });
  if (active.demoKey !== undefined)
    return t('This text is sent to the demo, which is part of K3 Chat. Nothing is billed.');
  const { route } = active;
  const settings = readSettings();
  // Its messages have no answers whose reasoning could be known.
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
