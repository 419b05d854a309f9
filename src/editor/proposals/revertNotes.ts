/** Shows what was reverted, and lists the hunks that were kept, each with a diff. */
import * as vscode from 'vscode';
import { addedLinesOf, deletedLinesOf } from '../../review/hunks/hunks.ts';
import type { KeptHunk } from '../../review/proposals/revertPlan.ts';
import type { KeptReason } from '../../review/proposals/takeBack.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { showWarning } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { plainItem } from '../base/quickPicks.ts';
import { joinSentences } from '../base/sentences.ts';
import { type CurrentFile, currentFile } from './currentFile.ts';
import { openWithoutHunk } from './proposalDocuments.ts';
import type { Proposals } from './proposalList.ts';
import type { Reverted } from './revertEdits.ts';

const t = vscode.l10n.t;

export interface RevertNotesDeps {
  readonly proposals: Pick<Proposals, 'get'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Shows the result of a revert. Doesn't wait for the user. */
export function tellReverted({ proposals, log }: RevertNotesDeps, { hunks, files, kept }: Reverted): void {
  const done = plural(
    t('Reverted {0, plural, one {# edit} other {# edits}} in {1, plural, one {# file} other {# files}}.'),
    hunks,
    files,
  );
  if (kept.length === 0) return void vscode.window.setStatusBarMessage(done, 5000);
  // Remembered now, because cells can get other URIs before the user selects the button.
  const edits = kept.map((one) => ({
    one,
    current: currentFile(proposals, one.proposalId, one.uri),
  }));
  const show = t('Show Edits…');
  const left = plural(
    t(
      '{0, plural, one {# accepted edit was not reverted. Its text is unchanged.} other {# accepted edits were not reverted. Their text is unchanged.}}',
    ),
    kept.length,
  );
  const offer = async () => {
    const chosen = await showWarning(joinSentences([hunks === 0 ? '' : done, left]), show);
    if (chosen === show) await showKept(proposals, edits);
  };
  inBackground(log, offer(), 'showing the edits that were not reverted');
}

interface KeptEdit {
  readonly one: KeptHunk;
  readonly current: CurrentFile;
}

/** Lists the kept hunks. Selecting one opens a diff between the file without the hunk and the current file. */
async function showKept(proposals: Pick<Proposals, 'get'>, kept: readonly KeptEdit[]): Promise<void> {
  const items = kept.map((edit) => ({
    label: edit.one.label,
    description: describeReason(edit.one.reason),
    detail: firstLine(edit),
    edit,
  }));
  const picked = await vscode.window.showQuickPick(items.map(plainItem), {
    title: t('Edits That Were Not Reverted'),
  });
  if (picked === undefined) return;
  const { one, current } = picked.edit;
  if (one.reason === 'missing' || one.reason === 'unreadable') return;
  await openWithoutHunk(proposals, one, current);
}

function firstLine({ one: { hunkId }, current }: KeptEdit): string {
  const hunk = current()?.hunks.find((one) => one.hunk.id === hunkId)?.hunk;
  if (hunk === undefined) return '';
  return (addedLinesOf(hunk) || deletedLinesOf(hunk)).trim().split('\n', 1)[0] ?? '';
}

function describeReason(reason: KeptReason): string {
  switch (reason) {
    case 'changed':
      return t('changed since it was accepted');
    case 'missing':
      return t('the file no longer exists');
    case 'unreadable':
      return t('the file can’t be read as text');
    case 'notebook':
      return t('the file is open as a notebook');
    case 'read-only':
      return t('the file is read-only');
    case 'refused':
      return t('you didn’t allow the file to be changed');
  }
}
