/**
 * The banners above the message box: a conversation that was deleted, can't be read, is not saved, or is answered in another
 * window, a context window that is nearly full, and an output budget that is too large.
 */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import { oldestWithImages } from '../../conversation/images/sentImages.ts';
import type { Preset } from '../../conversation/question.ts';
import { NEARLY_FULL } from '../../conversation/requestMessages/compaction.ts';
import { keptExchanges } from '../../conversation/requestMessages/keptResults.ts';
import type { Estimate } from '../../conversation/usage/estimate.ts';
import type { Surroundings } from '../../panel/surroundings.ts';
import type { TurnSettings } from '../../requests/turnSettings.ts';
import { CONTEXT_WINDOW_TOKENS } from '../../service/limits.ts';
import { formatShare } from '../base/formats.ts';
import { omitAllResultsAction, omitImagesAction } from '../cards/noticeActions.ts';
import type { StorageBanner } from '../storage/storage.ts';
import { tooLargeLine } from '../wording/budgetWords.ts';

const t = vscode.l10n.t;

/** What banners say about a conversation. */
export interface BannerState {
  /** The other window in which a turn of the conversation runs. */
  readonly elsewhere: string | undefined;
  readonly deleted: boolean;
  /** Whether the conversation is shown in place of the one that was opened, which can't be read now. */
  readonly standsIn: boolean;
  /** Why the conversation can't be saved; undefined when it is saved. */
  readonly storage: StorageBanner | undefined;
}

/** The banners of a conversation, the most urgent first. `estimate` and `budget` are those of the next request. */
export function toBanners(
  { elsewhere, storage, deleted, standsIn }: BannerState,
  draft: string,
  open: Conversation,
  estimate: Estimate,
  budget: Budget | undefined,
): Surroundings['banners'] {
  if (deleted) {
    const text =
      draft === ''
        ? t('“{0}” was deleted.', open.title)
        : t('“{0}” was deleted. The message box keeps its text.', open.title);
    return [{ tone: 'note', text, actions: [{ action: 'restore', label: t('Restore') }] }];
  }
  const full = estimate.promptTokens / estimate.windowTokens;
  return [
    // A storage banner already gives the reason: the database is locked.
    ...(standsIn && storage === undefined
      ? [
          {
            tone: 'note' as const,
            text: t('The conversation can’t be read now. Try again later.'),
            actions: [],
          },
        ]
      : []),
    ...(storage === undefined
      ? []
      : [
          {
            // Text that is not saved is lost when the window closes.
            tone: 'problem' as const,
            text: storage.text,
            actions: storage.exports ? [{ action: 'export' as const, label: t('Export…') }] : [],
          },
        ]),
    ...(budget === undefined || budget.tokens <= CONTEXT_WINDOW_TOKENS ? [] : [toBudgetBanner(budget)]),
    ...(full < NEARLY_FULL
      ? []
      : [
          {
            tone: 'note' as const,
            text: t(
              'The next request uses {0} of the context window. Continue from a summary, which you can edit first, or fork from an earlier message.',
              formatShare(estimate.promptTokens, estimate.windowTokens),
            ),
            actions: [
              { action: 'summarize' as const, label: t('Summarize and continue') },
              ...(keptExchanges(open).length === 0 ? [] : [omitAllResultsAction()]),
              ...(oldestWithImages(open) === undefined ? [] : [omitImagesAction()]),
            ],
          },
        ]),
    ...(elsewhere === undefined
      ? []
      : [
          {
            tone: 'note' as const,
            text: t(
              'Another window ({0}) is answering in this conversation. You can read it here and continue when the answer is complete.',
              elsewhere,
            ),
            actions: [],
          },
        ]),
  ];
}

interface Budget {
  readonly tokens: number;
  /** The name of the preset that sets the budget. */
  readonly preset?: string;
}

/** The budget of the next request; undefined for the default of the service. */
export function nextBudget(
  preset: Preset | undefined,
  { maxCompletionTokens }: TurnSettings,
): Budget | undefined {
  if (preset?.maxCompletionTokens !== undefined)
    return { tokens: preset.maxCompletionTokens, preset: preset.name };
  return maxCompletionTokens === undefined ? undefined : { tokens: maxCompletionTokens };
}

/** A warning, before a request is sent, that its budget is larger than the context window. */
function toBudgetBanner({ tokens, preset }: Budget): Surroundings['banners'][number] {
  const text = tooLargeLine(preset, tokens);
  return { tone: 'note', text, actions: [{ action: 'edit-settings', label: t('Open Settings') }] };
}
