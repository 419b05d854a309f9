/** The texts for a request that would exceed the daily cap. */
import * as vscode from 'vscode';
import type { Asker, Spending } from '../../spending/dailyCap.ts';
import { formatCost } from '../base/formats.ts';
import { joinSentences } from '../base/sentences.ts';

const t = vscode.l10n.t;

/** Why a request exceeds the cap: nothing is left of the cap, or the request costs more than what is left. */
export function describeExcess({ spent, inputCost, cap }: Spending): string {
  if (spent >= cap)
    return t(
      'You have spent {0} today, so nothing is left of the daily cap (k3.dailyCap), which is {1} for today. The input of this request costs about {2}.',
      formatCost(spent),
      formatCost(cap),
      formatCost(inputCost),
    );
  return t(
    'You have spent {0} today, and the input of this request costs about {1}. Together they exceed the daily cap (k3.dailyCap), which is {2} for today.',
    formatCost(spent),
    formatCost(inputCost),
    formatCost(cap),
  );
}

/** A sentence about the part of the spent amount that is only estimated; none if there is no such part. */
function describeEstimated({ estimated }: Spending): readonly string[] {
  if (estimated === undefined) return [];
  return [
    t('About {0} of what you spent is an estimate, because usage was not reported.', formatCost(estimated)),
  ];
}

/** The text of the dialog about the daily cap: the amounts, who sends the request, and what the consent allows. */
export function describeSpending(spending: Spending, asker: Asker): string {
  const allows = t(
    'If you send this request anyway, the cap is raised by the amount of k3.dailyCap until midnight, for all requests from this window.',
  );
  const from = asker === 'other-chat' ? [t('Another chat is sending a request to svc-k3.')] : [];
  return joinSentences([...from, describeExcess(spending), ...describeEstimated(spending), allows]);
}
