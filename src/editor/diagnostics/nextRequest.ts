/** Show Next Request and Show Request of Command: show exactly what would be sent, part by part. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { escapeMarkdown, toFenced } from '../../conversation/conversationMarkdown.ts';
import { withContext } from '../../conversation/question.ts';
import {
  type RequestPart,
  toReadableRequest,
  toRequestParts,
} from '../../conversation/requestMessages/requestParts.ts';
import { toDestination } from '../../conversation/routePlace.ts';
import { turnBefore } from '../../conversation/turnBefore.ts';
import { estimateRequest } from '../../conversation/usage/estimate.ts';
import { withInstructions } from '../../instructions/dueInstructions.ts';
import { type ToolboxOf, toConversationContent } from '../../requests/conversationRequest.ts';
import { pricesOf, whyNoRoute } from '../../requests/credentials.ts';
import type { Refusal } from '../../requests/refusal.ts';
import type { Turns } from '../../requests/turns.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import type { Commands } from '../base/laterCommands.ts';
import { showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import type { Reports } from '../base/reports.ts';
import type { Composers } from '../composer/composers.ts';
import type { ContextAttaching } from '../composer/contextAttaching.ts';
import { toQuestionParts } from '../composer/imageIntake.ts';
import type { Instructions } from '../composer/instructions.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { Routes } from '../connection/routes.ts';
import { showRefusal } from '../connection/shownRefusals.ts';
import { isSameSource } from '../context/attachments.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Preview, Previewed } from '../conversations/questionPreviews.ts';
import { readPreset, readSettings } from '../settings/settings.ts';

const t = vscode.l10n.t;

export interface NextRequestDeps {
  readonly toolbox: ToolboxOf;
  readonly conversations: Pick<Conversations, 'front' | 'get'>;
  readonly composers: Pick<Composers, 'of'>;
  readonly routes: Pick<Routes, 'active' | 'named'>;
  readonly turns: Pick<Turns, 'build' | 'refused' | 'tokenRatio'>;
  readonly reports: Pick<Reports, 'show'>;
  readonly instructions: Pick<Instructions, 'due'>;
  /** The commands whose request can be shown. */
  readonly previews: () => Promise<readonly Preview[]>;
  readonly prompts: Pick<Prompts, 'preview'>;
  readonly attaching: Pick<ContextAttaching, 'collect' | 'refreshAll'>;
}

export function createNextRequest(deps: NextRequestDeps): Commands<'k3.showRequest' | 'k3.showCodeRequest'> {
  const show = async (described: Described | undefined) => {
    if (described === undefined) return;
    if (described.ok) await deps.reports.show(t('Next Request'), described.text);
    else if ('refusal' in described) void showRefusal(described.refusal);
    else void showInformation(described.why);
  };
  return {
    'k3.showRequest': async (given) => show(await describeNext(deps, given)),
    'k3.showCodeRequest': async () => {
      const items = (await deps.previews()).map((preview) => ({ label: preview.title, preview }));
      const title = t('Show Request of Command');
      const previewed = await (await vscode.window.showQuickPick(items, { title }))?.preview.make();
      if (previewed !== undefined) await show(await describeRequest(deps, previewed, true));
    },
  };
}

type Described =
  | { readonly ok: true; readonly text: string }
  | { readonly ok: false; readonly why: string }
  | { readonly ok: false; readonly refusal: Refusal };

/**
 * Describes the request of a command if the message box names one, otherwise that of the first queued message, or else that of the
 * message box, with everything that would be sent along. Undefined if the command would ask nothing; it has told the user why.
 *
 * @param given the ID of a conversation; by default, that of the chat in front
 */
async function describeNext(deps: NextRequestDeps, given: unknown): Promise<Described | undefined> {
  const asked = typeof given === 'string' ? deps.conversations.get(given) : undefined;
  const conversation = asked ?? deps.conversations.front();
  const { draft, attachments, queue, format, preset: name } = deps.composers.of(conversation.id);
  const prompt = await deps.prompts.preview(draft);
  if (prompt?.kind === 'command') {
    const named = (await deps.previews()).find(({ command }) => command === prompt.command);
    const previewed = await named?.make(prompt.words);
    return previewed && describeRequest(deps, previewed, true);
  }
  // Queued messages are sent before the one in the message box.
  const [queued] = queue;
  if (queued !== undefined) {
    const question = withContext(queued.question, await deps.attaching.refreshAll(queued));
    return describeRequest(deps, { conversation, question }, true);
  }
  const chosen = readPreset(name);
  if (!chosen.ok) return { ok: false, refusal: chosen.refusal };
  const { preset } = chosen;
  if (prompt?.kind === 'missing') return { ok: false, why: prompt.why };
  const attached = (await deps.attaching.collect(conversation.id)).map(({ newest }) => newest);
  const context = (prompt?.context ?? []).reduce(withItem, attached);
  // A request needs a question. A placeholder shows the rest of the request as it would be sent.
  const isEmpty = draft.trim() === '' && attachments.length === 0 && context.length === 0;
  const text = isEmpty ? t('(your question)') : draft;
  const question = {
    ...prompt?.asked,
    ...toQuestionParts(prompt?.asked.text ?? text, attachments),
    context,
    origin: undefined,
    ...(format && { format }),
    ...(preset && { preset }),
  };
  return describeRequest(deps, { conversation, question }, !isEmpty);
}

/** Adds an item that a prompt needs. It replaces an attached item from the same source. */
function withItem(context: readonly ContextItem[], item: ContextItem): readonly ContextItem[] {
  const at = context.findIndex((one) => isSameSource(one, item));
  return at === -1 ? [...context, item] : context.with(at, item);
}

/** @param isAsked false if the text of the question is a placeholder */
async function describeRequest(
  { routes, turns, toolbox, instructions }: NextRequestDeps,
  { conversation, question: plain, requests = 1, leavesOut }: Previewed,
  isAsked: boolean,
): Promise<Described> {
  const settings = readSettings();
  const active = routes.active(settings);
  if (active === undefined) return { ok: false, refusal: whyNoRoute(settings.problems) };
  const due = await instructions.due(conversation.id, conversation.exchanges, plain, leavesOut);
  const question = withInstructions(plain, due);
  const { route } = active;
  const asking = { conversation, exchange: undefined, question, route, refused: turns.refused(route) };
  const content = toConversationContent(settings, asking, {}, toolbox);
  const prices = pricesOf(active, settings.prices);
  const built = turns.build(content, route, prices);
  if (!built.ok) return { ok: false, refusal: { kind: 'request', problem: built.problem } };
  const ratio = active.demoKey === undefined ? turns.tokenRatio(route) : 1;
  const parts = toRequestParts(built.request, turnBefore(conversation, ''), isAsked, ratio);
  const destination = toDestination(route, routes);
  const estimate = estimateRequest(built.request, content.earlier, prices, ratio, destination);
  const lines = [
    `# ${t('Next Request')}`,
    '',
    t(
      'To {0}, route “{1}”. About {2} input tokens, {3} probably cached; input cost about {4}.',
      `\`${route.root}/chat/completions\``,
      escapeMarkdown(route.name),
      formatTokens(estimate.promptTokens),
      formatTokens(estimate.cachedTokens),
      formatCost(estimate.inputCost),
    ),
    '',
    ...(requests > 1
      ? [
          t(
            'This is the first of {0} requests. Each of the others is sent when the one before it is answered.',
            requests,
          ),
          '',
        ]
      : []),
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
