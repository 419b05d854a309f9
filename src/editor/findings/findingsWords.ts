/** What findings say to the reader. */
import * as vscode from 'vscode';
import type { FindingSeverity } from '../../review/findings.ts';
import type { FindingsWords } from '../../review/findingsText.ts';

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

/** The words of a review in the chat. */
export function toFindingsWords(): FindingsWords {
  return {
    severity: {
      error: severityLabel('error'),
      warning: severityLabel('warning'),
      info: severityLabel('info'),
    },
    unplaced: {
      'no-file': t('Not placed: it names no file that was under review and can be read.'),
      'no-quotation': t('Not placed: it quotes nothing from the file.'),
      'not-found': t('Not placed: what it quotes does not stand in the file.'),
      ambiguous: t(
        'Not placed: what it quotes stands in several places, and not in the lines that it names.',
      ),
    },
    suggestion: t('Suggested edit:'),
    nothing: t('No findings.'),
    unreadable: t(
      'This answer could not be read as findings ({0}), so nothing was marked in the files. It is shown as it came.',
    ),
    cut: t(
      'This answer did not arrive whole, so nothing was marked in the files. What was readable of it is shown.',
    ),
  };
}
