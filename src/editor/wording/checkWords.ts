/** The texts of response checks, in the chat, in a comparison of attempts, and in the report of Check Connection. */
import * as vscode from 'vscode';
import type { Check } from '../../conversation/outcomes/checks.ts';
import type { CheckView } from '../../panel/views.ts';
import { tokensText } from '../base/formats.ts';
import { plural } from '../base/plural.ts';

const t = vscode.l10n.t;

export function toCheckView(check: Check): CheckView {
  const value = check.value ?? t('not reported');
  switch (check.name) {
    case 'model':
      return { name: t('Model'), passed: check.passed, detail: value };
    case 'finish':
      return { name: t('Finish'), passed: check.passed, detail: value };
    case 'content':
      return {
        name: t('Content'),
        passed: check.passed,
        detail:
          check.value === undefined
            ? t('empty')
            : plural(t('{0, plural, one {# character} other {# characters}}'), Number(check.value)),
      };
    case 'usage':
      return {
        name: t('Usage'),
        passed: check.passed,
        detail: check.value === undefined ? value : tokensText(Number(check.value)),
      };
    case 'parameters':
      return {
        name: t('Parameters'),
        passed: check.passed,
        detail: check.passed === undefined ? t('The effort may have been ignored') : value,
      };
  }
}

/** A check mark, a cross, or a question mark if the answer doesn't show the result. */
export const checkSign = ({ passed }: Check): string => (passed === undefined ? '?' : passed ? '✓' : '✗');
