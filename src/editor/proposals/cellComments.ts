/** Comments in cells of notebooks. The editor opens no comment boxes there, so they are typed in an input. */
import * as vscode from 'vscode';
import {
  filesOfRemarks,
  type Remark,
  withMovedFiles,
  withRenamedFile,
} from '../../review/comments/keptRemarks.ts';
import { askForInput } from '../base/notifications.ts';
import type { HunkThreads } from './hunkThreads.ts';
import type { MovedFiles } from './movedFiles.ts';
import type { Proposals } from './proposalList.ts';
import { type ThreadPlace, toRemark } from './remarkReplies.ts';
import type { Remarks } from './remarks.ts';

const t = vscode.l10n.t;

export interface CellCommentsDeps {
  readonly threads: Pick<HunkThreads, 'targetOf'>;
  readonly proposals: Pick<Proposals, 'ofFile'>;
  readonly remarks: Pick<Remarks, 'putBack'>;
  readonly moved: Pick<MovedFiles, 'follow'>;
}

/** Returns a function that asks for a comment on the thread of a hunk, or on lines, and adds it. */
export function createCellComments({ threads, proposals, remarks, moved }: CellCommentsDeps) {
  /**
   * What is typed, or was typed in an input that is closed, by the latest comment on each cell. The notebook can be renamed or saved for
   * the first time meanwhile.
   */
  let typed: readonly Remark[] = [];
  moved.follow({
    files: () => filesOfRemarks(typed),
    move(from, to) {
      typed = withRenamedFile(typed, from.toString(), to.toString());
    },
    moveAtOnce(now) {
      typed = withMovedFiles(typed, now);
    },
  });

  return async function comment(place: ThreadPlace): Promise<void> {
    const { id, ...begun } = toRemark({ thread: place, text: '' }, threads.targetOf(place), proposals);
    const earlier = typed.find(({ uri }) => uri === begun.uri);
    const value = earlier?.text ?? '';
    typed = [...typed.filter((one) => one !== earlier), { ...begun, id, text: value }];
    const text = await askForInput({
      title: t('Comment'),
      prompt: t('Comment for the review'),
      placeHolder: t('What should change?'),
      value,
      validateInput(now) {
        typed = typed.map((one) => (one.id === id ? { ...one, text: now } : one));
        return undefined;
      },
    });
    const now = typed.find((one) => one.id === id);
    // What was typed is in the next input of the cell, which may be open: the editor closes this one for any other one.
    if (now === undefined || (text === undefined && now.text.trim() !== '')) return;
    typed = typed.filter((one) => one !== now);
    if (text === undefined || text.trim() === '') return;
    // The thread can be that of a later proposal by now.
    const { proposalId, hunkId } = threads.targetOf(place) ?? {};
    const hunk = proposalId && hunkId ? { proposalId, hunkId } : now.hunk;
    remarks.putBack([{ ...now, text, hunk }]);
  };
}
