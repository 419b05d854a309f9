/** Show Next Request (`k3.showRequest`): shows exactly what would be sent, part by part. */
import * as vscode from 'vscode';
import { estimateRequest } from '../../chat/budget.ts';
import { toFenced } from '../../chat/document.ts';
import { type RequestPart, toReadableRequest, toRequestParts } from '../../chat/requestParts.ts';
import { turnBefore } from '../../chat/turnBefore.ts';
import { withInstructions } from '../../instructions/dueInstructions.ts';
import { type ToolboxOf, toConversationContent } from '../../turns/conversationRequest.ts';
import { pricesOf } from '../../turns/credentials.ts';
import type { Turns } from '../../turns/turns.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import { showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import type { Reports } from '../base/reports.ts';
import { readPreset, readSettings } from '../base/settings.ts';
import type { Composers } from '../composer/composers.ts';
import { toQuestionParts } from '../composer/imageIntake.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { describeRefusal } from '../wording/refusalWords.ts';

const t = vscode.l10n.t;

export interface NextRequestDeps {
  readonly toolbox: ToolboxOf;
  readonly conversations: Pick<Conversations, 'current'>;
  readonly composers: Pick<Composers, 'of'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly turns: Pick<Turns, 'build' | 'tokenRatio'>;
  readonly reports: Pick<Reports, 'show'>;
  readonly instructions: Pick<Instructions, 'due'>;
  readonly prompts: Pick<Prompts, 'preview'>;
}

export function registerNextRequest(deps: NextRequestDeps): vscode.Disposable {
  return vscode.commands.registerCommand('k3.showRequest', async () => {
    const markdown = await describeNext(deps);
    if (markdown.ok) await deps.reports.show(t('Next Request'), markdown.text);
    else void showInformation(markdown.why);
  });
}

type Described = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string };

async function describeNext(deps: NextRequestDeps): Promise<Described> {
  const { conversations, composers, routes, turns, toolbox } = deps;
  const settings = readSettings();
  const active = routes.active(settings);
  if (active === undefined) return { ok: false, why: describeRefusal({ kind: 'no-route' }) };
  const conversation = conversations.current();
  const { draft, attachments, context: attached, format, preset: name } = composers.of(conversation.id);
  const chosen = readPreset(name);
  if (!chosen.ok) return { ok: false, why: describeRefusal(chosen.refusal) };
  const { preset } = chosen;
  const prompt = await deps.prompts.preview(draft);
  const context = [...attached.map(({ item }) => item), ...(prompt?.context ?? [])];
  // A request needs a question. A placeholder shows the rest of the request as it would be sent.
  const isEmpty = draft.trim() === '' && attachments.length === 0 && context.length === 0;
  const text = isEmpty ? t('(your question)') : draft;
  const plain = {
    ...prompt?.asked,
    ...toQuestionParts(prompt?.asked.text ?? text, attachments),
    context,
    origin: undefined,
    ...(format && { format }),
    ...(preset && { preset }),
  };
  const due = await deps.instructions.due(conversation.id, conversation.exchanges, plain);
  const question = withInstructions(plain, due);
  const { route } = active;
  const asking = { conversation, exchange: undefined, question, route };
  const content = toConversationContent(settings, asking, {}, toolbox);
  const built = turns.build(content, route);
  if (!built.ok) return { ok: false, why: describeRefusal({ kind: 'request', problem: built.problem }) };
  const ratio = active.demoKey === undefined ? turns.tokenRatio(route) : 1;
  const parts = toRequestParts(built.request, turnBefore(conversation, ''), !isEmpty, ratio);
  const prices = pricesOf(active, settings.prices);
  const estimate = estimateRequest(built.request, content.earlier, prices, ratio);
  const lines = [
    `# ${t('Next Request')}`,
    '',
    t(
      'To {0}, route “{1}”. About {2} input tokens, {3} probably cached; input cost about {4}.',
      `\`${active.route.root}/chat/completions\``,
      active.route.name,
      formatTokens(estimate.promptTokens),
      formatTokens(estimate.cachedTokens),
      formatCost(estimate.inputCost),
    ),
    '',
    `| ${t('Part')} | ${t('Bytes')} | ${t('Tokens (estimate)')} | ${t('Since last request')} |`,
    '|---|---:|---:|---|',
    ...parts.map(toRow),
    '',
    `## ${t('Request body')}`,
    '',
    toFenced(toReadableRequest(built.request), 'json').text,
    '',
  ];
  return { ok: true, text: lines.join('\n') };
}

function toRow({ kind, bytes, tokens, images, unchanged }: RequestPart): string {
  const name =
    images === 0
      ? kind
      : plural(t('{1, plural, one {{0}, with # image} other {{0}, with # images}}'), kind, images);
  const since = unchanged ? t('unchanged, probably cached') : t('new');
  return `| ${name} | ${formatTokens(bytes)} | ${formatTokens(tokens)} | ${since} |`;
}
