/** User-facing text of findings. */
import * as vscode from 'vscode';
import type { FindingSeverity } from '../../review/findings/findings.ts';
import type { FindingsWords } from '../../review/findings/findingsText.ts';
import { plural } from '../base/plural.ts';

const t = vscode.l10n.t;

export function severityLabel(severity: FindingSeverity): string {
  switch (severity) {
    case 'error':
      return t('Error');
    case 'warning':
      return t('Warning');
    case 'info':
      return t('Information');
  }
}

/** User-facing text of a review in the chat. */
export function toFindingsWords(): FindingsWords {
  return {
    severity: {
      error: severityLabel('error'),
      warning: severityLabel('warning'),
      info: severityLabel('info'),
    },
    unplaced: {
      'no-file': t('Not placed: the file was not part of the review or can’t be read.'),
      'no-quotation': t('Not placed: the finding doesn’t quote any code.'),
      'not-found': t('Not placed: the quoted code is not in the file.'),
      ambiguous: t('Not placed: the quoted code is in several places, but not on the stated lines.'),
    },
    ofRevision: t('Not placed: the quoted code is in revision {0}, and not in the file as it is now.'),
    suggestion: t('Suggested edit:'),
    nothing: t('No findings.'),
    unreadable: t(
      'This answer couldn’t be read as findings ({0}), so nothing was marked in the files. The answer is shown unchanged.',
    ),
    leftOut: (count, why) =>
      plural(
        t(
          '{0, plural, one {# finding couldn’t be read ({1}), so it was not marked in the files. It is shown unchanged.} other {# findings couldn’t be read ({1}), so they were not marked in the files. They are shown unchanged.}}',
        ),
        count,
        why,
      ),
    cut: t('This answer is incomplete, so nothing was marked in the files. The readable part is shown.'),
  };
}
