/** Handles the messages of a page. Messages about the page itself are handled here; all others are intents. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { Page } from '../../conversation/editBoxes.ts';
import { recallableIn, toRecalled } from '../../conversation/recalledQuestions.ts';
import type { ContextChoice } from '../../panel/context.ts';
import { toTurnMap } from '../../panel/turnMap.ts';
import type { PageMessage, WebviewMessage } from '../../panel/webviewMessages.ts';
import { actInBackground } from '../base/atFirstUse.ts';
import type { Log } from '../base/log.ts';
import type { Composers } from '../composer/composers.ts';
import type { Prompts } from '../composer/prompts.ts';
import type { ContextChoices } from '../context/contextChoices.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Findings } from '../findings/findingList.ts';
import type { Storage } from '../storage/storage.ts';
import { filterExistingPaths, openPath } from '../workspace/shownPaths.ts';
import type { ShownSymbols } from '../workspace/shownSymbols.ts';
import type { DraftSync } from './draftSync.ts';
import { findShown } from './findShown.ts';
import type { FocusReturn } from './focusReturn.ts';
import type { Intent, Intents } from './intents.ts';
import type { PanelChannel, Unnumbered } from './panelChannel.ts';
import type { PanelPosts } from './panelPosts.ts';
import { createWrittenDrafts } from './writtenDrafts.ts';

export interface PanelReceiver extends vscode.Disposable {
  /** Handles a message. Errors are logged. */
  receive(message: PageMessage): void;
  /** The page was closed or is loaded again: the other panels now show what was typed there last. */
  typingEnded(): void;
}

export interface PanelReceiverDeps {
  readonly conversations: Pick<Conversations, 'get' | 'deleted' | 'loaded'>;
  readonly storage: Pick<Storage, 'history'>;
  readonly composers: Pick<Composers, 'of' | 'changed' | 'compose'>;
  readonly intents: Pick<Intents, 'receive'>;
  readonly findings: Pick<Findings, 'placementsOf'>;
  readonly choices: ContextChoices;
  readonly prompts: Pick<Prompts, 'choices'>;
  readonly symbols: Pick<ShownSymbols, 'filterKnown' | 'open'>;
  readonly log: Pick<Log, 'warn'>;
  readonly channel: Pick<PanelChannel, 'send' | 'isOpen' | 'heard'>;
  readonly posts: Pick<PanelPosts, 'snapshot' | 'earlier' | 'later' | 'reach' | 'surroundings'>;
  readonly drafts: Pick<DraftSync, 'written'>;
  /** Identifies the page. */
  readonly page: Page;
  /** The user types in the message box of the page, or does something on it. */
  onUsed(): void;
  /** The conversation on the page. */
  conversation(): Conversation;
  shownId(): string;
  readonly focus: FocusReturn;
  /** The page is ready to receive messages. `isNew`: it was just loaded, and has nothing yet. */
  onReady(isNew: boolean): void;
}

export function createPanelReceiver(deps: PanelReceiverDeps): PanelReceiver {
  const { channel, posts, composers, intents, findings, conversation } = deps;
  const search = deps.choices.createSearch(deps.shownId);
  const written = createWrittenDrafts(deps);

  function send(message: Unnumbered): void {
    channel.send(message);
  }

  /**
   * Sends the page everything again, and tells it again which messages were taken: a snapshot doesn't contain that, and may
   * have been made before they arrived here.
   *
   * @param seen the number of the last message before those that the page has missed; undefined for a new page
   */
  function begin(seen: number | undefined): void {
    written.typingEnded();
    deps.onReady(seen === undefined);
    written.retake(seen);
  }

  async function act(intent: Intent, conversationId: string, seen: number | undefined): Promise<void> {
    // `seen` is the only intent that the page sends without an action of the user.
    if (intent.type !== 'seen' && conversationId === deps.shownId()) deps.onUsed();
    if (intent.type === 'send' && intent.isLate !== true)
      written.sent(intent.draft ?? intent.text, conversationId, seen);
    const reply = await deps.focus.around(intent, (chosen) =>
      intents.receive(intent, conversationId, composers.of(conversationId), chosen),
    );
    if (intent.type === 'send') {
      if (reply.taken) written.leave(conversationId, intent);
      written.take(conversationId, intent.text, reply.taken !== true);
    }
    // The page may show another conversation by now.
    if (reply.compose !== undefined) composers.compose(conversationId, reply.compose);
    if (reply.edit !== undefined && deps.shownId() === conversationId) {
      posts.reach(reply.edit.exchangeId);
      send({ type: 'edit', editing: reply.edit, ...(reply.isReturned && { isReturned: true }) });
    }
    if (reply.why !== undefined && deps.shownId() === conversationId) send({ type: 'why', ...reply.why });
    posts.surroundings();
  }

  /**
   * Handles a message about a conversation that no longer exists, or can't be read for a moment. The page shows the current
   * conversation instead, and its message box gets the text that the user wrote.
   */
  function leave(conversationId: string, message: WebviewMessage): void {
    if (deps.shownId() === conversationId) posts.snapshot();
    const text = writtenIn(message);
    if (text === '') return;
    const { draft } = composers.of(deps.shownId());
    // After the snapshot, each page sends the draft that it had, which may be part of this draft already.
    const isThere = message.type === 'draft' && `\n${draft}`.endsWith(`\n${text}`);
    if (!isThere) composers.compose(deps.shownId(), text);
  }

  async function answer({
    message,
    conversationId: meant = deps.shownId(),
    seen,
    number,
  }: PageMessage): Promise<void> {
    if (number !== undefined) channel.heard(number);
    if (message.type === 'ready') return begin(seen);
    if (seen !== undefined) written.known(seen);
    if (message.type === 'focus-moved') return deps.focus.moved(message);
    // A deleted conversation keeps the text that is typed, because it can be restored.
    const { get, deleted } = deps.conversations;
    if (get(meant) === undefined && deleted(meant) === undefined) return leave(meant, message);
    switch (message.type) {
      case 'draft':
      case 'typed':
        // A message of type `draft` can repeat the text of another page.
        if (message.type === 'typed' && meant === deps.shownId()) deps.onUsed();
        return written.changed(message, meant, seen);
      case 'editing':
        composers.of(meant).edit(message.before, message.editing, deps.page, meant === deps.shownId());
        return;
      // These refer to the conversation that the page shows.
      case 'show-earlier':
        return posts.earlier();
      case 'show-later':
        return posts.later();
      case 'show-exchange':
        return posts.reach(message.exchangeId);
      case 'find': {
        const { words } = message;
        return send({
          type: 'found',
          words,
          places: findShown(conversation(), words, findings.placementsOf),
        });
      }
      case 'recall':
        return send({ type: 'recalled', texts: recentTexts(deps) });
      case 'map': {
        const { turnId } = message;
        const turns = conversation().exchanges.flatMap(({ attempts }) => attempts);
        const turn = turns.find(({ id }) => id === turnId);
        if (turn?.outcome === undefined) return;
        return send({ type: 'map', turnId, map: toTurnMap(turn) });
      }
      case 'complete': {
        const { query, text } = message;
        const answer = (choices: readonly ContextChoice[]) => send({ type: 'choices', query, choices });
        if (message.sign === '@') return search.search(text, answer);
        try {
          return answer(await deps.prompts.choices(text));
        } catch (error) {
          // The page waits for results, even after an error: an Enter may depend on them.
          answer([]);
          throw error;
        }
      }
      case 'find-paths': {
        const existing = await filterExistingPaths(message.paths);
        const missing = message.paths.filter((path) => !existing.includes(path));
        return send({ type: 'paths', existing, missing });
      }
      case 'open-path':
        return openPath(message.path);
      case 'find-symbols': {
        const existing = await deps.symbols.filterKnown(message.names);
        const missing = message.names.filter((name) => !existing.includes(name));
        return send({ type: 'symbols', existing, missing });
      }
      case 'open-symbol':
        return deps.symbols.open(message.name);
      default:
        return act(message, meant, seen);
    }
  }

  return {
    receive(message) {
      actInBackground(deps.log, answer(message), `the message ${message.message.type} from the page`);
    },
    typingEnded: written.typingEnded,
    dispose: () => search.dispose(),
  };
}

/**
 * The text that the user wrote in a message; empty for messages without such text. A page that leaves a conversation sends
 * the text that is being typed once more.
 */
function writtenIn(message: WebviewMessage): string {
  switch (message.type) {
    case 'send':
    case 'draft':
    case 'edit':
      return message.text;
    case 'editing':
      return message.editing?.text ?? '';
    default:
      return '';
  }
}

/**
 * The earlier questions for the message box. Without a database, or while it can't be read, only those of conversations in
 * memory.
 */
function recentTexts({ storage, conversations, log }: PanelReceiverDeps): readonly string[] {
  const inMemory = () => recallableIn(conversations.loaded());
  try {
    return toRecalled(storage.history?.recentQuestions(vscode.workspace.name) ?? inMemory());
  } catch (error) {
    log.warn(`reading earlier questions failed: ${String(error)}`);
    return toRecalled(inMemory());
  }
}
