/** Removes the reason why a message was not sent from the message box when that reason is gone. */
import * as vscode from 'vscode';
import type { Exchange } from '../../conversation/conversation.ts';
import type { Refusal } from '../../requests/refusal.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { Composers } from '../composer/composers.ts';
import type { Keys } from '../connection/keys.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { describeRefusal } from '../wording/refusalWords.ts';

export interface RefusalCheckDeps {
  readonly composers: Pick<Composers, 'all' | 'changed'>;
  readonly conversations: Pick<Conversations, 'isRunning' | 'holder' | 'isUnread' | 'onDidChange'>;
  readonly routes: Pick<Routes, 'active' | 'onDidChange'>;
  readonly keys: Pick<Keys, 'find' | 'onDidChange'>;
  readonly log: Pick<Log, 'warn'>;
}

/**
 * Checks all message boxes when a setting, a key, or a conversation has changed, and the one of a conversation in which a
 * command asks.
 */
export function registerRefusalCheck(deps: RefusalCheckDeps): vscode.Disposable {
  const { composers, conversations, routes, keys, log } = deps;

  async function check(setting: boolean): Promise<void> {
    for (const [id, composer] of composers.all()) {
      const { refusal, refused } = composer;
      // Something else may have been wrong since, for example an attachment.
      if (refused === undefined || refusal !== describeRefusal(refused)) continue;
      if (!(await isGone(deps, id, refused, setting)) || composer.refused !== refused) continue;
      composer.refused = undefined;
      if (composer.refusal !== refusal) continue;
      composer.refusal = undefined;
      composers.changed(id);
    }
  }

  /**
   * Removes the reasons why something couldn't be attached, because the user has gone on without it. If there is a draft,
   * they stay: they may be the reason why that message was not sent.
   */
  function forgetFailed(conversationId: string): void {
    const [, composer] = [...composers.all()].find(([id]) => id === conversationId) ?? [];
    if (composer?.refusal === undefined || composer.draft !== '') return;
    const left = composer.failed.reduce((text, why) => text.replace(why, ''), composer.refusal).trim();
    if (left === composer.refusal) return;
    composer.refusal = left === '' ? undefined : left;
    composers.changed(conversationId);
  }

  const run = (setting: boolean) =>
    inBackground(log, check(setting), 'looking whether a message can be sent again');
  return vscode.Disposable.from(
    routes.onDidChange(() => run(true)),
    keys.onDidChange(() => run(true)),
    conversations.onDidChange((change) => {
      const { type } = change;
      if (type === 'listed' || type === 'replaced' || type === 'free') run(false);
      if (type === 'exchange' && isOfCommand(change.exchange)) forgetFailed(change.conversationId);
    }),
  );
}

/** Whether a command has just asked the question of this exchange. */
const isOfCommand = ({ question, attempts }: Exchange): boolean =>
  question.asked !== undefined && attempts.length === 1 && attempts[0]?.outcome === undefined;

/** @param setting a setting or a key has changed, which can be the reason for most refusals */
async function isGone(
  { conversations, routes, keys }: RefusalCheckDeps,
  conversationId: string,
  refused: Refusal,
  setting: boolean,
): Promise<boolean> {
  switch (refused.kind) {
    case 'no-route':
      return routes.active() !== undefined;
    case 'no-key': {
      const { name, origin } = refused.route;
      const now = routes.active()?.route;
      return setting && (now?.name !== name || now.origin !== origin || (await keys.find(now)).found);
    }
    case 'running':
      return !conversations.isRunning(conversationId);
    case 'elsewhere':
      return conversations.holder(conversationId) === undefined;
    case 'unread':
      return !conversations.isUnread(conversationId);
    case 'no-such-route':
    case 'images-dropped':
    case 'setting':
    case 'request':
    case 'over-cap':
    case 'transport':
      return setting;
    // `sending.ts` removes the refusal when the conversation is restored.
    case 'gone':
    case 'changed':
    case 'unsupported':
    case 'stopped':
      return false;
  }
}
