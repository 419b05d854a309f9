/** Attaches context to a composer, and reads it again when it is sent. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import type { QueuedQuestion } from '../../conversation/queue.ts';
import { untilAborted } from '../../service/abort.ts';
import { createKeyedQueue } from '../base/keyedQueue.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import { joinSentences } from '../base/sentences.ts';
import { type AttachedContext, isSameSource, toAttached } from '../context/attachments.ts';
import { canReopen, toHeldSelection } from '../context/contextItems.ts';
import { createContextPermission } from '../context/contextPermission.ts';
import type { ContextResult, HeldReference, ReadContext } from '../context/contextResult.ts';
import { rereadChanged } from '../context/contextSymbols.ts';
import { describeReadFailure } from '../context/contextWords.ts';
import { labelOfReference, nameOfReference, toLocalReference } from '../context/heldReferences.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { type Arriving, createArriving } from './arrivingContext.ts';
import { type ContextCollecting, createContextCollecting } from './collectedContext.ts';
import type { Composer } from './composerState.ts';
import type { Composers } from './composers.ts';
import { createContextWatch, type FollowedContext } from './contextWatch.ts';
import { createReferenceReader, type ReferenceReaderDeps } from './referenceReader.ts';

const t = vscode.l10n.t;

export interface ContextAttaching extends vscode.Disposable {
  /**
   * Reads references and adds them to a composer, which shows what couldn't be added.
   *
   * @returns false if the user didn't allow one of them
   */
  add(conversationId: string, references: readonly HeldReference[]): Promise<boolean>;
  /**
   * Reads references for a message that is not in a composer, without changing the composer.
   *
   * @param signal aborts asking the user about what is found out later
   */
  read(
    conversationId: string,
    references: readonly HeldReference[],
    signal?: AbortSignal,
  ): Promise<ReadContext>;
  /**
   * Lets the user choose files, including images, and attaches them.
   *
   * @param chosen called before the files are read, when nothing more is asked
   */
  pick(conversationId: string, chosen: () => void): Promise<void>;
  /** @param id the ID of an item of the composer, which may no longer exist */
  remove(conversationId: string, id: string): void;
  /** Reads one item of a composer again. */
  refresh(conversationId: string, id: string): Promise<void>;
  /**
   * Waits for context that is being attached, and reads each item of a composer again, without changing the composer. Items
   * that are removed meanwhile are left out, and not waited for. When the signal aborts, all items are.
   */
  collect(conversationId: string, signal?: AbortSignal): ReturnType<ContextCollecting['collect']>;
  /** Reads the context of a queued message again, which is about to be sent. */
  refreshAll(queued: QueuedQuestion): Promise<readonly ContextItem[]>;
  readonly followed: FollowedContext;
}

export interface ContextAttachingDeps extends Omit<ReferenceReaderDeps, 'permission'> {
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly composers: Pick<Composers, 'of' | 'all' | 'changed' | 'onDidOpen' | 'onDidRestoreContext'>;
  readonly reads: AllowedReads;
  readonly log: Pick<Log, 'warn'>;
}

export function createContextAttaching({
  composers,
  lastEditor,
  images,
  reads,
  terminals,
  takeBackInstructions,
  log,
}: ContextAttachingDeps): ContextAttaching {
  const permission = createContextPermission(reads);
  const { allows } = permission;
  /** Attaches references one after another in each conversation. */
  const adding = createKeyedQueue();
  const watch = createContextWatch({ composers, allows, log });

  const { arrive, askFor, whileShown } = createArriving(composers, permission.askForAll, nameOf);
  const take = createReferenceReader({ images, terminals, takeBackInstructions, permission });

  const takeOne = (conversationId: string, reference: HeldReference, arriving?: Arriving) =>
    take(conversationId, reference, arriving).catch((error: unknown): ContextResult => {
      log.warn(`couldn't read context (${reference.kind}): ${String(error)}`);
      return { ok: false, why: describeReadFailure(labelOfReference(reference), 'unreadable') };
    });

  /** The name that is shown while a reference is read. For a terminal, it is the command whose output the user is asked about. */
  function nameOf(reference: HeldReference): string | undefined {
    if (reference.kind !== 'terminal') return nameOfReference(reference);
    const command = terminals.describe();
    return command && t('Terminal: {0}', command);
  }

  /** Reads an item again, under the name that its source has now. */
  const readAgain = ({ item, id }: AttachedContext) => watch.readAgain(watch.withNameNow(item, id));
  const collecting = createContextCollecting(composers, readAgain);

  /** A reference with the text of the current selection: the user may select something else before the reference is attached. */
  function toHeld(reference: HeldReference): HeldReference {
    if (reference.kind !== 'selection' || 'read' in reference) return toLocalReference(reference);
    const editor = lastEditor.get();
    return editor === undefined ? reference : toHeldSelection(editor);
  }

  /**
   * @param seen the refusal of the composer when the user chose the references. A newer refusal is shown together with
   *   their problems
   */
  async function addAll(
    conversationId: string,
    allowed: readonly Arriving[],
    seen: string | undefined,
  ): Promise<void> {
    const composer = composers.of(conversationId);
    const problems = composer.refusal === undefined || composer.refusal === seen ? [] : [composer.refusal];
    for (const one of allowed) {
      const { reference, removal, arrived } = one;
      // The reference may have been removed while those before it were read.
      if (removal.aborted) continue;
      const taken = await untilAborted(takeOne(conversationId, reference, one), removal).catch(
        // Only rejects if the reference is removed.
        () => 'passed-on' as const,
      );
      arrived();
      if (taken === 'passed-on') continue;
      if (taken.ok) {
        put(composer, taken.item);
        watch.hold(conversationId);
      } else {
        problems.push(taken.why);
        composer.failed = [...composer.failed, taken.why];
      }
      composer.refusal = joinSentences(problems) || undefined;
      composers.changed(conversationId);
    }
  }

  /**
   * Adds an item, or replaces the same item. If the user then removes the new item, the old one is removed from a message
   * that is being sent, too.
   */
  function put(composer: Composer, item: ContextItem): void {
    const { context } = composer;
    const at = context.findIndex((one) => isSameSource(one.item, item, one.changed));
    const attached = toAttached(item);
    collecting.replaced(context[at]?.id, attached.id);
    composer.context = at === -1 ? [...context, attached] : context.with(at, attached);
  }

  async function add(conversationId: string, references: readonly HeldReference[]): Promise<boolean> {
    const arriving = arrive(conversationId, references.map(toHeld));
    const { refusal } = composers.of(conversationId);
    return adding.run(conversationId, () =>
      whileShown(conversationId, arriving, async () => {
        const allowed = await askFor(arriving);
        const isAllowed = arriving.every((one) => one.removal.aborted || allowed.includes(one));
        await addAll(conversationId, allowed, refusal);
        return isAllowed;
      }),
    );
  }

  return {
    add,
    async read(conversationId, references, signal) {
      const context: ContextItem[] = [];
      const problems: string[] = [];
      const local = references.map(toHeld);
      const allowed = await permission.askForAll(local, signal);
      for (const reference of local) {
        const taken = allowed.includes(reference)
          ? await takeOne(conversationId, reference)
          : { ok: false as const, why: t('{0} wasn’t sent.', labelOfReference(reference)) };
        if (taken === 'passed-on') continue;
        if (taken.ok) context.push(taken.item);
        else problems.push(taken.why);
      }
      return { context, problems };
    },
    async pick(conversationId, chosen) {
      const files = await vscode.window.showOpenDialog({
        canSelectMany: true,
        title: t('Add to Chat'),
        openLabel: t('Add'),
      });
      const references = (files ?? []).map((uri) => ({ kind: 'file' as const, uri: uri.toString() }));
      const arriving = arrive(conversationId, references.map(toLocalReference));
      await whileShown(conversationId, arriving, async () => {
        // Asked before it is their turn: files that are still being read may be ahead of these in the queue.
        const allowed = await askFor(arriving);
        if (files !== undefined) chosen();
        const { refusal } = composers.of(conversationId);
        await adding.run(conversationId, () => addAll(conversationId, allowed, refusal));
      });
    },
    remove(conversationId, id) {
      const composer = composers.of(conversationId);
      composer.context = composer.context.filter((one) => one.id !== id);
      collecting.removed(id);
      composers.changed(conversationId);
    },
    async refresh(conversationId, id) {
      const composer = composers.of(conversationId);
      const attached = composer.context.find((one) => one.id === id);
      if (attached === undefined) return;
      const newest = await readAgain(attached);
      const item =
        newest.older === true && (await canReopen(newest, allows)) ? await rereadChanged(newest) : newest;
      const at = composer.context.findIndex((one) => one.id === id);
      if (at === -1) return;
      composer.context = composer.context.with(at, { ...attached, item, changed: item.older === true });
      composers.changed(conversationId);
    },
    async collect(conversationId, signal = new AbortController().signal) {
      await adding.idle(conversationId);
      return collecting.collect(conversationId, signal);
    },
    refreshAll: (queued) => Promise.all(watch.withNamesNow(queued).map(watch.readAgain)),
    followed: watch.followed,
    dispose: watch.dispose,
  };
}
