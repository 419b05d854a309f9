/** Send Review (`k3.sendReview`): sends all remarks with their hunks as one question. */
import * as vscode from 'vscode';
import type { Turn } from '../../conversation/turn.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import {
  filesOfRemarks,
  type Remark,
  withMovedFiles,
  withRenamedFile,
} from '../../review/comments/keptRemarks.ts';
import {
  decodeSent,
  doneOf,
  type EndedTurn,
  type SentRemarks,
  settleRemarks,
  toStoredSent,
  withEachSent,
} from '../../review/comments/sentRemarks.ts';
import { describeWrong } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import { isReply } from '../base/commentArguments.ts';
import type { Log } from '../base/log.ts';
import { createOnceForReply } from '../base/sameReply.ts';
import { askWithKeyPrompt, tellRefusal } from '../conversations/asking.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { freeConversation, isFree } from '../conversations/freeConversation.ts';
import { newConversation, nextConversation, type Preview } from '../conversations/questionPreviews.ts';
import { requestLines } from '../workspace/sentLines.ts';
import type { MissingFiles } from './missingFiles.ts';
import type { MovedFiles } from './movedFiles.ts';
import type { Proposals } from './proposalList.ts';
import { threadPlaceOf } from './proposalThreads.ts';
import { type RemarkClaims, tellSentElsewhere } from './remarkClaims.ts';
import type { Remarks } from './remarks.ts';
import { makeReview, type ReviewDeps } from './reviewToSend.ts';

const t = vscode.l10n.t;

export interface SendReviewDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'get' | 'create' | 'isRunning' | 'holder' | 'ask' | 'find' | 'onDidChange'
  >;
  readonly proposals: Pick<Proposals, 'get' | 'underReview'>;
  readonly remarks: Remarks;
  readonly claims: RemarkClaims;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
  /** The state that all windows of the folder share. */
  readonly state: Pick<vscode.Memento, 'get' | 'update'>;
  readonly log: Pick<Log, 'warn'>;
}

const KEY = 'k3.sentRemarks';

/** Registers the command. Sent comments are removed from the editor, and restored if the answer isn't completed. */
export function registerSendReview(deps: SendReviewDeps): vscode.Disposable {
  const { conversations, remarks, claims, state, log } = deps;
  const read = () =>
    decodeSent(state.get<unknown>(KEY), (wrong) =>
      log.warn(`a stored comment that was sent can't be read and is left out: ${describeWrong(wrong)}`),
    );
  let sent = read();
  const uris = new Map([...sent.values()].flat().map(({ id, uri }) => [id, uri]));
  let sending = false;
  const once = createOnceForReply();
  /** The IDs of running turns of this window that answer a review. */
  const running = new Set<string>();
  /** The IDs of such turns of other windows. They are stored, too. */
  const others = new Set<string>();

  function put(next: SentRemarks): void {
    sent = next;
    inBackground(
      log,
      state.update(KEY, toStoredSent(sent, new Set([...running, ...others]))),
      'saving the comments that were sent',
    );
  }

  const follow = (how: (written: readonly Remark[]) => readonly Remark[]) => {
    // Turns that another window has settled since aren't stored again.
    const stored = others.size > 0 ? read() : sent;
    sent = new Map([...sent].filter(([turnId]) => !others.has(turnId) || stored.has(turnId)));
    if (sent.size > 0) put(withEachSent(sent, how));
  };
  const rename = (from: vscode.Uri, to: vscode.Uri) =>
    follow((written) => withRenamedFile(written, from.toString(), to.toString()));
  deps.moved.follow({
    files: () => filesOfRemarks([...sent.values()].flat()),
    move: rename,
    moveAtOnce: (now) => follow((written) => withMovedFiles(written, now)),
  });

  // The answers to these comments were running when the window was closed.
  if (sent.size > 0) {
    const claimOf = ([, written]: [string, readonly Remark[]]) => written.map(({ id }) => claims.of(id));
    const open = [...sent].filter((one) => !claimOf(one).includes('done'));
    for (const one of open) if (claimOf(one).includes('sending')) others.add(one[0]);
    sent = new Map(open);
    remarks.putBack(
      open.flatMap(([turnId, written]) => (others.has(turnId) ? [] : written)),
      // Comments with another URI were moved since: they were renamed, or their cells were found above.
      ({ id, uri }) => uris.get(id) === uri,
    );
    put(sent);
  }

  async function send(): Promise<void> {
    remarks.dropDone();
    if (tellSentElsewhere(claims, remarks.list())) return;
    const made = await makeReview(deps, requestLines);
    // Nothing is sent, and the comments stay.
    if (made === undefined) return;
    const { question, written, wanted } = made;
    const ids = written.map(({ id }) => id);
    const conversationId = freeConversation(conversations, wanted);
    await vscode.commands.executeCommand('k3.focusChat', conversationId);
    const asIs = () => doneOf(remarks.list(), written);
    remarks.dropDone();
    // While the user was asked about a file, or the chat got the focus, comments may have been changed or deleted.
    if (asIs().length < written.length) return send();
    if (!claims.take(ids)) return void tellSentElsewhere(claims, written);
    const asking = askWithKeyPrompt((options) => conversations.ask(conversationId, question, options));
    // Likewise while the user was asked for an API key, or the question was prepared.
    const asked = await asking.catch((error: unknown) => {
      claims.release(asIs().map(({ id }) => id));
      throw error;
    });
    const there = asIs();
    const left = there.map(({ id }) => id);
    if (asked.ok) {
      running.add(asked.turnId);
      put(new Map([...sent, [asked.turnId, there]]));
      remarks.takeAway(new Set(left));
    } else claims.release(left);
    tellRefusal(log, asked);
  }

  function settle(turn: EndedTurn): void {
    const isOurs = running.delete(turn.id);
    const settled = settleRemarks(sent, turn);
    if (isOurs || settled.sent !== sent) put(settled.sent);
    remarks.putBack(settled.back);
    claims.finish(
      settled.done.map(({ id }) => id).filter((id) => !remarks.list().some((one) => one.id === id)),
    );
    const done = doneOf(remarks.list(), settled.done);
    if (done.length > 0) remarks.remove(new Set(done.map(({ id }) => id)));
  }

  /**
   * Settles turns whose conversation was deleted, because their end isn't reported. The conversation can be restored, and the turn
   * asked again.
   */
  function settleDeleted(): void {
    for (const id of running)
      if (conversations.find(id) === undefined) settle({ id, continues: undefined, whole: false });
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.sendReview', (reply: unknown) =>
      // `once` prevents sending twice when the button is double-clicked.
      once(...boxOf(reply), async () => {
        // Adds the text of an open comment box, which the editor then empties. While a review is being sent, the reply can be from
        // another box. A box without a place is gone: the second click of a double-click was in it.
        if (hasText(reply) && !(sending && reply.thread.uri === undefined))
          await vscode.commands.executeCommand('k3.addRemark', reply);
        if (sending) return;
        sending = true;
        await send().finally(() => {
          sending = false;
        });
      }),
    ),
    vscode.workspace.onDidRenameFiles(({ files }) => {
      for (const { oldUri, newUri } of files) rename(oldUri, newUri);
    }),
    conversations.onDidChange((change) => {
      if (change.type === 'listed') settleDeleted();
      if (change.type === 'turn' && change.turn.outcome !== undefined)
        settle(toEnded(change.turn, conversations.find(change.turn.id)));
    }),
  );
}

/** The question that Send Review would ask. Lines with keys are included without asking, because nothing is sent. */
export const toReviewPreview = (deps: ReviewDeps & Pick<SendReviewDeps, 'conversations'>): Preview => ({
  title: t('Send Review'),
  async make() {
    const made = await makeReview(deps, async () => true);
    if (made === undefined) return undefined;
    const { question, wanted } = made;
    const { conversations } = deps;
    const known =
      wanted !== undefined && isFree(conversations, wanted) ? conversations.get(wanted) : undefined;
    const other = wanted === undefined ? nextConversation(conversations) : newConversation();
    return { conversation: known ?? other, question };
  },
});

function toEnded(turn: Turn, found: Found | undefined): EndedTurn {
  const { id, outcome } = turn;
  if (found === undefined) return { id, continues: undefined, whole: outcome === 'complete' };
  const { conversation, exchange } = found;
  const { fits } = toWholeAnswer(conversation.exchanges, exchange.question, turn);
  const attempts = exchange.attempts.map((one) => one.id);
  return { id, continues: exchange.question.continues, attempts, whole: outcome === 'complete' && fits };
}

/** The place and text that identify a reply, see `OnceForReply`. */
const boxOf = (reply: unknown): [box: string, text: string] =>
  hasText(reply) ? [threadPlaceOf(reply), reply.text] : ['', ''];

const hasText = (reply: unknown): reply is vscode.CommentReply => isReply(reply) && reply.text.trim() !== '';
