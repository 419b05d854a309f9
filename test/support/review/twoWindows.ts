/**
 * Two windows of the editor with the same file and the same stored proposals, without an editor. Every line that is typed or
 * proposed is another one, so what the state of a hunk must be can be read from the text.
 */
import fc from 'fast-check';
import { addedLinesOf, deletedLinesOf, toLines } from '../../../src/review/hunks/hunks.ts';
import { ANYWHERE, withBeside } from '../../../src/review/proposals/besideProposals.ts';
import { withTextNow } from '../../../src/review/proposals/fileChanges.ts';
import { toAcceptance } from '../../../src/review/proposals/openHunks.ts';
import {
  type FileProposal,
  hasRejected,
  isUndecided,
  isUndecidedHunk,
  type Proposal,
  toFileProposal,
  withRejected,
  withReopened,
  withReplaced,
} from '../../../src/review/proposals/proposal.ts';
import { reviewsOfFile } from '../../../src/review/proposals/proposalSet.ts';
import { acceptedFiles, planRevert } from '../../../src/review/proposals/revertPlan.ts';
import { type EditorWindow, openWindow, type Shared, URI } from './sharedWindow.ts';

/** Numbers are taken modulo what there is when the act is done. */
export type WindowAct =
  | {
      readonly do: 'propose';
      readonly splices: readonly (readonly [at: number, removed: number, added: number])[];
      readonly beside: boolean;
    }
  | { readonly do: 'accept' | 'reject'; readonly which: number; readonly hunk: number }
  | { readonly do: 'type' | 'restore' | 'revert'; readonly which: number }
  | { readonly do: 'undo' | 'redo' | 'save' | 'go' | 'reload' };

const act: fc.Arbitrary<WindowAct> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('propose' as const),
      splices: fc.array(fc.tuple(fc.nat(20), fc.nat(2), fc.nat(2)), { minLength: 1, maxLength: 3 }),
      beside: fc.boolean(),
    }),
  },
  {
    weight: 10,
    arbitrary: fc.record({ do: fc.constant('accept' as const), which: fc.nat(3), hunk: fc.nat(3) }),
  },
  {
    weight: 5,
    arbitrary: fc.record({ do: fc.constant('reject' as const), which: fc.nat(3), hunk: fc.nat(3) }),
  },
  { weight: 4, arbitrary: fc.record({ do: fc.constant('type' as const), which: fc.nat(20) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constantFrom('restore' as const, 'revert' as const), which: fc.nat(3) }),
  },
  {
    weight: 6,
    arbitrary: fc.record({ do: fc.constantFrom('undo' as const, 'undo' as const, 'redo' as const) }),
  },
  { weight: 5, arbitrary: fc.record({ do: fc.constantFrom('save' as const) }) },
  { weight: 8, arbitrary: fc.record({ do: fc.constantFrom('go' as const) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constantFrom('reload' as const) }) },
);

export interface WindowStory {
  readonly lines: number;
  readonly acts: readonly WindowAct[];
}

export const windowStories = (maxLength: number): fc.Arbitrary<WindowStory> =>
  fc.record({ lines: fc.integer({ min: 3, max: 10 }), acts: fc.array(act, { maxLength, size: 'max' }) });

const fileOf = ({ files }: Proposal): FileProposal => files[0] as FileProposal;

/** @returns what was done, and last what is wrong; undefined if nothing is */
export function playWindows({ lines, acts }: WindowStory, isLogged = false): string | undefined {
  const shared: Shared = { disk: '', stored: new Map(), clock: 0, names: 0 };
  const fresh = (kind: string) => `${kind}${++shared.names}\n`;
  shared.disk = Array.from({ length: lines }, () => fresh('s')).join('');
  const windows = [openWindow('A', shared), openWindow('B', shared)] as [EditorWindow, EditorWindow];
  let front = 0;
  const rejected = new Set<string>();
  /** Those that were rejected at some time. */
  const known = new Set<string>();
  const log: string[] = [];

  function propose(at: EditorWindow, one: Extract<WindowAct, { do: 'propose' }>): string | undefined {
    const wanted = toLines(at.text());
    for (const [place, removed, added] of one.splices)
      wanted.splice(place % (wanted.length + 1), removed, ...Array.from({ length: added }, () => fresh('m')));
    if (wanted.join('') === at.text()) return undefined;
    const file = toFileProposal({
      uri: URI,
      label: 'a',
      isNew: false,
      before: at.text(),
      after: wanted.join(''),
      asked: undefined,
      unplaced: [],
      lineEnd: '\n',
    });
    const id = `p${++shared.clock}`;
    const made: Proposal = {
      id,
      turnId: id,
      conversationId: 'c',
      createdAt: ++shared.clock,
      files: [one.beside ? withBeside(file, at.besides(), ANYWHERE) : file],
      trouble: undefined,
      revises: undefined,
    };
    at.put(made);
    for (const other of at.all()) if (other.id !== id) at.put(withReplaced(other, made));
    return `propose ${id}${one.beside ? ' beside' : ''} ${file.hunks.map(({ hunk }) => JSON.stringify([hunk.before, hunk.after])).join(' ')}`;
  }

  function restore(at: EditorWindow, which: number): string | undefined {
    const some = at.all().filter((one) => hasRejected(fileOf(one)));
    const one = some[which % some.length];
    if (one === undefined) return undefined;
    const { id } = one;
    at.changeFile(id, (file) => withTextNow(withReopened(file), at.text(), '\n'));
    at.changeFile(id, (file) =>
      withBeside(
        file,
        at.besides().filter((other) => other.id !== id),
        ANYWHERE,
      ),
    );
    const file = fileOf(at.get(id) as Proposal);
    if (isUndecided(file))
      for (const other of at.all()) if (other.id !== id) at.put(withReplaced(other, { id, files: [file] }));
    for (const { hunk, state } of file.hunks) if (state !== 'rejected') rejected.delete(`${id}.${hunk.id}`);
    return `restore ${id}`;
  }

  function revert(at: EditorWindow, which: number): string | undefined {
    const some = at.all().filter((one) => acceptedFiles([one]).length > 0);
    const one = some[which % some.length];
    const [plan] =
      one === undefined ? [] : planRevert([one], () => ({ text: at.text(), lineEnd: '\n' })).files;
    if (one === undefined || plan?.next === undefined) return undefined;
    at.change(plan.edits.map(({ from, to, text }) => ({ offset: from, removed: to - from, inserted: text })));
    for (const { proposalId, file } of plan.files)
      at.changeFile(proposalId, (now) =>
        withRejected(
          file,
          new Set(now.hunks.flatMap(({ hunk, state }) => (state === 'rejected' ? [hunk.id] : []))),
        ),
      );
    return `revert ${one.id}`;
  }

  function decide(
    at: EditorWindow,
    one: Extract<WindowAct, { do: 'accept' | 'reject' }>,
  ): string | undefined {
    const shown = reviewsOfFile(at.all(), URI);
    const review = shown[one.which % shown.length];
    const hunks =
      review?.file.hunks.filter(
        ({ state }) => state === 'open' || (state === 'stale' && one.do === 'reject'),
      ) ?? [];
    const id = hunks[one.hunk % hunks.length]?.hunk.id;
    if (review === undefined || id === undefined) return undefined;
    const { proposal, file } = review;
    if (one.do === 'accept')
      at.change(
        toAcceptance(file, new Set([id])).edits.map(({ from, to, text }) => ({
          offset: from,
          removed: to - from,
          inserted: text,
        })),
      );
    else {
      at.changeFile(proposal.id, (now) => withRejected(now, new Set([id])));
      at.flush();
      const key = `${proposal.id}.${id}`;
      // The other window can have seen that it was accepted and undone between, which it can't tell from being restored there.
      if (known.has(key)) rejected.delete(key);
      else rejected.add(key);
      known.add(key);
    }
    return `${one.do} ${proposal.id}.${id}`;
  }

  const others = (at: EditorWindow) => windows.filter((one) => one !== at);
  function save(at: EditorWindow): void {
    if (!at.isDirty()) return;
    at.save();
    for (const one of others(at)) one.diskChanged();
  }

  function run(at: EditorWindow, one: WindowAct): string | undefined {
    switch (one.do) {
      case 'propose':
        return propose(at, one);
      case 'accept':
      case 'reject':
        return decide(at, one);
      case 'type': {
        const all = toLines(at.text());
        const line = one.which % (all.length + 1);
        at.change([{ offset: all.slice(0, line).join('').length, removed: 0, inserted: fresh('h') }]);
        return `type ${line}`;
      }
      case 'restore':
        return restore(at, one.which);
      case 'revert':
        return revert(at, one.which);
      case 'undo':
      case 'redo':
        return at[one.do]() ? one.do : undefined;
      case 'save':
        if (!at.isDirty()) return undefined;
        save(at);
        return 'save';
      case 'go':
        save(at);
        at.flush();
        front = 1 - front;
        windows[front]?.focus();
        return `-> ${windows[front]?.name}`;
      case 'reload':
        save(at);
        at.flush();
        windows[front] = openWindow(at.name, shared);
        return 'reload';
    }
  }

  const statesOf = (at: EditorWindow) =>
    at
      .all()
      .map(
        (one) =>
          `${one.id}:${fileOf(one)
            .hunks.map(({ state }) => state[0])
            .join('')}${fileOf(one).replacedBy === undefined ? '' : '>'}`,
      )
      .join(' ');

  function wrongIn(at: EditorWindow): string | undefined {
    const text = at.text();
    const has = (part: string) => part !== '' && `\n${text}`.includes(`\n${part}`);
    // One that is not followed is brought up to date when it is taken up again.
    for (const proposal of at.all())
      for (const one of withTextNow(fileOf(proposal), text, '\n').hunks) {
        const [added, deleted] = [addedLinesOf(one.hunk), deletedLinesOf(one.hunk)];
        const key = `${proposal.id}.${one.hunk.id}`;
        const who = `${key} ${one.state}${fileOf(proposal).replacedBy === undefined ? '' : ' (replaced)'}`;
        if (one.state === 'accepted') rejected.delete(key);
        if (has(added) && !has(deleted) && one.state !== 'accepted')
          return `${who}, but its new lines are there`;
        if (added !== '' && has(deleted) && !toLines(added).some(has) && one.state === 'accepted')
          return `${who}, but its old lines are there`;
        if (
          rejected.has(key) &&
          fileOf(proposal).hunks.some((now) => now.hunk.id === one.hunk.id && isUndecidedHunk(now))
        )
          return `${who}, but the user rejected it`;
      }
    return undefined;
  }

  for (const one of acts) {
    const at = windows[front] as EditorWindow;
    const what = run(at, one);
    if (what === undefined) continue;
    log.push(`${at.name} ${what}`);
    const now = windows[front] as EditorWindow;
    if (isLogged)
      log.push(
        `    ${now.text().replaceAll('\n', ' ')}| A ${statesOf(windows[0])} | B ${statesOf(windows[1])}`,
      );
    const wrong = wrongIn(now);
    if (wrong !== undefined) return [...log, `!! ${wrong}`].join('\n');
  }
  return undefined;
}
