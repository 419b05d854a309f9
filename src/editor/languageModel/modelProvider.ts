/** Provides svc-k3 to other chats in the editor: the model `svc-k3` of the vendor `k3`, on the active route. */
import { setTimeout as pause } from 'node:timers/promises';
import * as vscode from 'vscode';
import { estimateParts } from '../../conversation/otherChats/otherParts.ts';
import { toFullUsage } from '../../conversation/rounds.ts';
import { hasUsage } from '../../conversation/usage/cost.ts';
import { estimateTokens } from '../../conversation/usage/tokens.ts';
import type { Refusal } from '../../requests/refusal.ts';
import type { Turns } from '../../requests/turns.ts';
import {
  CONTEXT_WINDOW_TOKENS,
  DEFAULT_MAX_COMPLETION_TOKENS,
  DEFAULT_MODEL,
  MAX_TOOLS,
} from '../../service/limits.ts';
import type { Route, Usage } from '../../service/types.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import type { Keys } from '../connection/keys.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import { readSettings } from '../settings/settings.ts';
import { describeLack } from '../wording/probeWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import {
  type ModelInformation,
  type ModelOptions,
  type ModelProvider,
  offerModels,
  toDataPart,
  toThinkingPart,
} from './modelApi.ts';
import { fromModelMessage, fromModelTool } from './modelMessages.ts';
import type { OtherChats } from './otherChats.ts';

const t = vscode.l10n.t;

export const VENDOR = 'k3';

/**
 * The pause before an error is thrown, in milliseconds. The editor passes parts on every 30 ms, and drops waiting parts after an error,
 * so that the other chat would not get them.
 */
const PASSED_ON_MS = 200;

export interface ModelProviderDeps {
  readonly routes: Pick<Routes, 'onDidChange'>;
  readonly keys: Pick<Keys, 'onDidChange'>;
  readonly turns: Pick<Turns, 'access'>;
  readonly probes: Pick<RouteProbes, 'lackOf' | 'onDidChange'>;
  readonly ask: OtherChats['ask'];
  readonly log: Log;
}

/** Registers the provider if the editor supports it. It has no state, so concurrent requests are independent. */
export function registerModelProvider(deps: ModelProviderDeps): vscode.Disposable {
  const changed = new vscode.EventEmitter<void>();
  const provider: ModelProvider = {
    onDidChangeLanguageModelChatInformation: changed.event,
    provideLanguageModelChatInformation: ({ silent }) => listModels(deps, silent),
    provideLanguageModelChatResponse: async (_model, messages, options, progress, token) => {
      logIgnored(options, deps.log);
      let hasReported = false;
      const asking = deps.ask(
        {
          messages: messages.map(fromModelMessage),
          tools: (options.tools ?? []).map(fromModelTool),
          // Requested in words, because the service refuses a request that forces a tool call (Q12).
          wantsCall: options.toolMode === vscode.LanguageModelChatToolMode.Required,
        },
        {
          answer(text) {
            hasReported = true;
            progress.report(new vscode.LanguageModelTextPart(text));
          },
          reasoning(text) {
            const part = toThinkingPart(text);
            if (part !== undefined) progress.report(part);
          },
        },
        token,
      );
      const reply = await asking.catch(async (error) => {
        if (hasReported && !token.isCancellationRequested) await pause(PASSED_ON_MS);
        throw error;
      });
      for (const { id, name, input } of reply.calls)
        progress.report(new vscode.LanguageModelToolCallPart(id, name, input));
      const usage = hasUsage(reply.usage) ? toDataPart(encodeUsage(reply.usage), 'usage') : undefined;
      if (usage !== undefined) progress.report(usage);
    },
    provideTokenCount: async (_model, text) =>
      Math.ceil(
        typeof text === 'string' ? estimateTokens(text) : estimateParts(fromModelMessage(text).parts),
      ),
  };
  const offered = offerModels(VENDOR, provider);
  // The editor requests the models only after a change event, and its chat lists none before that.
  changed.fire();
  return vscode.Disposable.from(
    changed,
    offered,
    deps.routes.onDidChange(() => changed.fire()),
    deps.keys.onDidChange(() => changed.fire()),
    deps.probes.onDidChange(() => changed.fire()),
  );
}

/** Always one model, so that a chat keeps its selection when the active route changes. */
async function listModels(
  { turns, probes }: Pick<ModelProviderDeps, 'turns' | 'probes'>,
  silent: boolean,
): Promise<readonly ModelInformation[]> {
  const found = await turns.access();
  const known = routeOf(found);
  if (known === undefined && !silent && !found.ok) await leadOn(found.refusal);
  const route = known ?? (silent ? undefined : routeOf(await turns.access()));
  if (route === undefined) return [];
  const lacks = (['tools', 'images'] as const).flatMap((check) => probes.lackOf(check, route) ?? []);
  const { maxCompletionTokens: budget = DEFAULT_MAX_COMPLETION_TOKENS } = readSettings();
  const has = (check: 'tools' | 'images') => lacks.every(({ result }) => result.check !== check);
  return [
    {
      id: DEFAULT_MODEL,
      name: DEFAULT_MODEL,
      family: DEFAULT_MODEL,
      version: route.model,
      detail: t('K3, route {0}', route.name),
      tooltip: [
        t('svc-k3 on route “{0}” of K3 Chat. Tokens are billed to the route’s API key.', route.name),
        ...lacks.map(({ result }) => describeLack(route.name, result)),
      ].join(' '),
      // The service may accept a budget as large as the context window, which would leave no room for messages.
      maxInputTokens: CONTEXT_WINDOW_TOKENS - Math.min(budget, DEFAULT_MAX_COMPLETION_TOKENS),
      maxOutputTokens: Math.min(budget, CONTEXT_WINDOW_TOKENS),
      // The editor offers a model without tools only where none are needed.
      capabilities: { imageInput: has('images'), toolCalling: has('tools') && MAX_TOOLS },
    },
  ];
}

/** Asks for a missing route or key, or shows what is wrong: a key doesn't help against an invalid setting. */
async function leadOn(refusal: Refusal): Promise<void> {
  if (refusal.kind === 'no-route') await vscode.commands.executeCommand('k3.addRoute');
  else if (refusal.kind === 'no-key') await vscode.commands.executeCommand('k3.setKey');
  // Not awaited: the list of models must not wait until the notification is closed.
  else void showWarning(describeRefusal(refusal));
}

/** The route if a request can be sent to it, possibly only after the user has allowed sending the environment's key. */
function routeOf(access: Awaited<ReturnType<Turns['access']>>): Route | undefined {
  if (access.ok) return access.active.route;
  const { refusal } = access;
  return refusal.kind === 'no-key' && refusal.why === 'unconfirmed' ? refusal.route : undefined;
}

/** Logs options that are not sent: the service fixes sampling, and the output budget is a setting (docs/service.md). */
function logIgnored({ modelOptions }: ModelOptions, log: Log): void {
  const ignored = Object.keys(modelOptions ?? {});
  if (ignored.length > 0) log.info(`another chat: options are not sent: ${ignored.join(', ')}`);
}

/**
 * Usage in the wire format, which other chats read. This is undocumented, so nothing depends on it. Figures that the service
 * didn't report are left out.
 */
function encodeUsage(usage: Usage): Uint8Array {
  const { promptTokens, completionTokens, totalTokens, cachedTokens, reasoningTokens } = toFullUsage(usage);
  return new TextEncoder().encode(
    JSON.stringify({
      prompt_tokens: promptTokens,
      completion_tokens: completionTokens,
      total_tokens: totalTokens,
      ...(cachedTokens !== undefined && { prompt_tokens_details: { cached_tokens: cachedTokens } }),
      ...(reasoningTokens !== undefined && {
        completion_tokens_details: { reasoning_tokens: reasoningTokens },
      }),
    }),
  );
}
