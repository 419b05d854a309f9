/** The tool `k3_ask_svc_k3`: other models in the editor ask svc-k3 a question, after the user confirms. */
import * as vscode from 'vscode';
import { showHidden } from '../../access/hiddenCharacters.ts';
import { estimateTokens } from '../../chat/tokens.ts';
import { fence } from '../../text/fences.ts';
import type { ActiveRoute } from '../../turns/credentials.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import { readSettings } from '../base/settings.ts';
import type { Routes } from '../connection/routes.ts';
import type { OtherChats } from './otherChats.ts';

const t = vscode.l10n.t;

/** The editor accepts letters, digits, `_`, and `-` in names of tools. */
export const ASK_TOOL = 'k3_ask_svc_k3';

export interface AskToolDeps {
  readonly otherChats: OtherChats;
  readonly routes: Pick<Routes, 'active'>;
}

/** Input from a model, which is not validated. */
interface AskInput {
  readonly question?: unknown;
  readonly context?: unknown;
}

export function registerAskTool(deps: AskToolDeps): vscode.Disposable {
  return vscode.lm.registerTool<AskInput>(ASK_TOOL, createAskTool(deps));
}

type AskTool = Required<vscode.LanguageModelTool<AskInput>>;

export function createAskTool({ otherChats, routes }: AskToolDeps): AskTool {
  return {
    prepareInvocation: ({ input }) => ({
      invocationMessage: t('Asking svc-k3'),
      confirmationMessages: {
        title: t('Ask svc-k3?'),
        message: describeSending(toPrompt(input), routes.active()),
      },
    }),
    async invoke({ input }, token) {
      const text = toPrompt(input);
      const reply = await otherChats.ask(
        { messages: [{ role: 'user', parts: [{ type: 'text', text }] }], tools: [] },
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

/** The exact text to send, in a code block without links, and with invisible characters as codes. */
function describeSending(text: string, active: ActiveRoute | undefined): vscode.MarkdownString {
  return new vscode.MarkdownString()
    .appendText(describeBilling(text, active))
    .appendMarkdown(`\n\n${fence(showHidden(text), 'text')}\n`);
}

function describeBilling(text: string, active: ActiveRoute | undefined): string {
  if (active?.demoKey !== undefined)
    return t('This text is sent to the demo, which is part of K3 Chat. Nothing is billed.');
  const tokens = estimateTokens(text);
  return t(
    'This text is sent to the service on route “{0}” and billed: about {1} input tokens ({2}), plus output tokens.',
    active?.route.name ?? '?',
    formatTokens(tokens),
    formatCost((tokens * readSettings().prices.input) / 1_000_000),
  );
}
