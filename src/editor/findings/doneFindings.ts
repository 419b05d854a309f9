/** Leaves out findings whose suggested edit was accepted, until this is undone. */
import * as vscode from 'vscode';
import type { ProposedEdit } from '../../review/edits/proposalAnswer.ts';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import type { FileProposal } from '../../review/proposals/proposal.ts';
import { hasEdits } from '../../review/proposals/sameChanges.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import type { Findings } from './findingList.ts';
import type { OpenFinding } from './openFindings.ts';

/** A cached result: whether these hunks have the edit of a finding. */
interface Known {
  readonly hunks: readonly AnchoredHunk[];
  readonly is: boolean;
}

/**
 * The findings without those that are done. A finding whose edit has several places stays, because another finding can have the same
 * edit.
 */
export function withoutDone(all: Findings, proposals: Pick<Proposals, 'ofTurn' | 'onDidChange'>): Findings {
  const changed = new vscode.EventEmitter<void>();
  /** The cached results, by the edit of a finding and the ID of a proposal, which may be for another finding. */
  const known = new WeakMap<ProposedEdit, Map<string, Known>>();

  /** @param file an accepted file; after undo, possibly one that another proposal has replaced */
  function isOf(edit: ProposedEdit, proposalId: string, file: FileProposal): boolean {
    const ofEdit = known.get(edit) ?? new Map<string, Known>();
    known.set(edit, ofEdit);
    const last = ofEdit.get(proposalId);
    if (last !== undefined && isSame(last.hunks, file.hunks)) return last.is;
    const is = hasEdits({ ...file, replacedBy: undefined }, [edit]);
    ofEdit.set(proposalId, { hunks: file.hunks, is });
    return is;
  }

  const isDone = (one: OpenFinding): boolean => {
    const { edit } = one.finding;
    const uri = one.uri.toString();
    return (
      edit !== undefined &&
      proposals
        .ofTurn(one.turnId)
        .some(({ id, files }) =>
          files.some((file) => file.uri === uri && isAccepted(file) && isOf(edit, id, file)),
        )
    );
  };
  const list = () => all.list().filter((one) => !isDone(one));
  const idsOf = () =>
    list()
      .map(({ id }) => id)
      .join();

  let shown = idsOf();
  const listening = vscode.Disposable.from(
    all.onDidChange(() => {
      shown = idsOf();
      changed.fire();
    }),
    proposals.onDidChange(({ turnIds }) => {
      if (!turnIds.some((id) => all.placementsOf(id) !== undefined) || shown === idsOf()) return;
      shown = idsOf();
      changed.fire();
    }),
  );
  return {
    ...all,
    list,
    find: (id) => list().find((one) => one.id === id),
    onDidChange: changed.event,
    dispose: () => vscode.Disposable.from(listening, changed, all).dispose(),
  };
}

/** Whether two lists have the same hunks, wherever they are now. */
const isSame = (some: readonly AnchoredHunk[], others: readonly AnchoredHunk[]): boolean =>
  some.length === others.length && some.every(({ hunk }, at) => hunk === others[at]?.hunk);

const isAccepted = ({ hunks }: FileProposal): boolean =>
  hunks.length > 0 && hunks.every(({ state, putBack }) => state === 'accepted' && !putBack);
