/** What stands around the transcript in a panel: route, meter, attachments, refusal. */
import * as vscode from 'vscode';
import { estimateNext } from '../chat/budget.ts';
import type { Conversation, ImageAttachment } from '../chat/turn.ts';
import type { Surroundings } from '../panel/messages.ts';
import { formatCost, formatShare, formatTokens } from './formats.ts';
import type { Routes } from './routes.ts';
import { readSettings } from './settings.ts';

const t = vscode.l10n.t;

/** What a panel remembers of its composer; it survives hiding and moving. */
export interface Composer {
  draft: string;
  attachments: readonly ImageAttachment[];
  refusal: string | undefined;
}

/** The surroundings of a conversation: its composer, and what the next request from there would be. */
export function toSurroundings(
  open: Conversation,
  composer: Composer,
  running: boolean,
  routes: Pick<Routes, 'active'>,
): Surroundings {
  const settings = readSettings();
  const active = routes.active(settings);
  const estimate = estimateNext(
    open,
    settings.systemPrompt,
    composer.draft,
    composer.attachments.length,
    settings.prices,
  );
  return {
    route: active && {
      name: active.route.name,
      label: active.route.name,
      demo: active.demoKey !== undefined,
    },
    title: open.title,
    running,
    effort: settings.effort,
    effortHint: settings.effort === 'low' || settings.effort === 'high' ? t('may be ignored') : '',
    reasoningInChat: settings.reasoningInChat,
    meter: {
      value: estimate.promptTokens,
      max: estimate.windowTokens,
      text: t(
        'The next request: about {0} of {1} tokens ({2}), input about {3}',
        formatTokens(estimate.promptTokens),
        formatTokens(estimate.windowTokens),
        formatShare(estimate.promptTokens, estimate.windowTokens),
        formatCost(estimate.inputCost),
      ),
    },
    attachments: composer.attachments.map(({ name, url }) => ({
      name,
      url: url.startsWith('data:') ? url : undefined,
      detail: t('about {0} tokens', formatTokens(2000)),
    })),
    refusal: composer.refusal,
  };
}
