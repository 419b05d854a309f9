/** Updates one page when something that it shows changes. */
import type * as vscode from 'vscode';
import type { Composers } from '../composer/composers.ts';
import type { Starters } from '../composer/starters.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { ConversationChange } from '../conversations/conversationChange.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Findings } from '../findings/findingList.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { toProposalViews } from '../proposals/proposalViews.ts';
import { readSettings } from '../settings/settings.ts';
import type { Storage } from '../storage/storage.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import type { ToolSet } from '../tools/toolSet.ts';
import type { DraftSync } from './draftSync.ts';
import type { PanelChannel } from './panelChannel.ts';
import type { PanelPosts } from './panelPosts.ts';

export interface PanelListenersDeps {
  readonly conversations: Pick<Conversations, 'onDidChange'>;
  readonly routes: Pick<Routes, 'onDidChange'>;
  readonly probes: Pick<RouteProbes, 'onDidChange'>;
  readonly storage: Pick<Storage, 'onDidChange' | 'onDidOpen'>;
  readonly composers: Pick<Composers, 'onDidChange'>;
  readonly proposals: Pick<Proposals, 'ofTurn' | 'onDidChange'>;
  readonly findings: Pick<Findings, 'onDidPlace'>;
  readonly structured: Pick<StructuredAnswers, 'onDidJudge'>;
  readonly tools: Pick<ToolSet, 'onDidChange'>;
  readonly starters: Pick<Starters, 'onDidChange'>;
}

export interface PanelPage {
  readonly channel: Pick<PanelChannel, 'isOpen' | 'send' | 'next'>;
  readonly posts: PanelPosts;
  readonly drafts: Pick<DraftSync, 'composed' | 'post'>;
  /** The id of the conversation on the page. */
  shownId(): string;
  /** The id of the opened conversation, if it could not be read and another one is on the page; otherwise undefined. */
  openedId(): string | undefined;
  /** Returns to the opened conversation if it can be read now. */
  resume(): void;
}

/** Listens to all changes that a page shows. A page that is not ready gets them with its next snapshot. */
export function listenForPanel(deps: PanelListenersDeps, page: PanelPage): readonly vscode.Disposable[] {
  const { channel, posts, drafts } = page;
  const whenOpen =
    <Change>(update: (change: Change) => void) =>
    (change: Change) => {
      if (channel.isOpen()) update(change);
    };
  function resume(): void {
    page.resume();
    if (channel.isOpen()) posts.snapshot();
  }
  return [
    deps.conversations.onDidChange((change) => {
      if (change.type === 'replaced' && change.conversationId === page.openedId()) resume();
    }),
    deps.conversations.onDidChange(whenOpen((change) => onConversation(change, page))),
    deps.routes.onDidChange(createPriceWatch(page)),
    deps.probes.onDidChange(whenOpen(() => posts.surroundings())),
    deps.storage.onDidChange(whenOpen(() => posts.surroundings())),
    deps.storage.onDidOpen(resume),
    deps.tools.onDidChange(whenOpen(() => posts.surroundings())),
    deps.starters.onDidChange(whenOpen(() => posts.surroundings())),
    deps.proposals.onDidChange(createProposalWatch(deps.proposals, page)),
    deps.findings.onDidPlace(whenOpen(posts.exchangeChanged)),
    deps.structured.onDidJudge(whenOpen(posts.turnChanged)),
    deps.composers.onDidChange(
      whenOpen((change) => {
        const { conversationId, composed } = change;
        const isShown = conversationId === page.shownId();
        if (composed !== undefined) {
          const number = isShown ? channel.send({ type: 'compose', text: composed }) : channel.next();
          drafts.composed(conversationId, composed, number);
        }
        if (!isShown) return;
        drafts.post();
        posts.surroundings();
      }),
    ),
  ];
}

function onConversation(change: ConversationChange, { posts, drafts, shownId }: PanelPage): void {
  // Another window may have started or finished an answer in this conversation, or changed its draft or queue.
  if (change.type === 'listed') {
    posts.surroundings();
    drafts.post();
  }
  if (!('conversationId' in change) || change.conversationId !== shownId()) return;
  switch (change.type) {
    case 'turn':
      posts.turnStep(change.exchangeId, change);
      break;
    case 'exchange':
      posts.exchangePut(change.exchange);
      break;
    case 'replaced':
      posts.snapshot();
      break;
    case 'free':
      posts.surroundings();
      break;
    case 'seen':
      break;
  }
}

/**
 * Prices change the cost under each answer, so the page gets a snapshot. Other settings only change the surroundings.
 */
function createPriceWatch({ channel, posts }: PanelPage): () => void {
  let shown = JSON.stringify(readSettings().prices);
  return () => {
    const prices = JSON.stringify(readSettings().prices);
    if (channel.isOpen() && prices !== shown) posts.snapshot();
    else posts.surroundings();
    shown = prices;
  };
}

/**
 * Posts a turn only when the view of its proposals changes. Hunks move while the user types, which usually doesn't change
 * the view. Changes while the page is closed are part of its next snapshot, so the view that was posted last is forgotten.
 */
function createProposalWatch(
  proposals: Pick<Proposals, 'ofTurn'>,
  { channel, posts }: Pick<PanelPage, 'channel' | 'posts'>,
): (change: { readonly turnIds: readonly string[] }) => void {
  const shown = new Map<string, string>();
  return ({ turnIds }) => {
    for (const turnId of turnIds) {
      if (!channel.isOpen()) {
        shown.delete(turnId);
        continue;
      }
      const now = JSON.stringify(toProposalViews(proposals.ofTurn(turnId)));
      if (now !== shown.get(turnId)) posts.turnChanged(turnId);
      shown.set(turnId, now);
    }
  };
}
