/** The words around the text of a conversation in Markdown, for its document and for an exported file. */
import * as vscode from 'vscode';
import type { Conversation } from '../../conversation/conversation.ts';
import type { DocumentWords } from '../../conversation/conversationMarkdown.ts';
import { isEarlyEnd } from '../../conversation/outcomes/notices.ts';
import { allReasoning, answeringModel } from '../../conversation/rounds.ts';
import type { Outcome, Turn } from '../../conversation/turn.ts';
import { goesOn } from '../../requests/wholeAnswer.ts';
import type { Prices } from '../../service/prices.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { reasoningText, toAccountLine } from '../wording/accountWords.ts';
import { callStateLabel, outcomeLabel } from '../wording/turnLabels.ts';
import { toOriginLabel } from '../workspace/originLabel.ts';

const t = vscode.l10n.t;

const accountOf = (turn: Turn, prices: Prices): readonly string[] =>
  turn.outcome === undefined ? [] : [toAccountLine(turn, prices)];

/** How a turn ended. If a later exchange continues it, the words say so, as in the chat. */
function describeEnd(exchanges: Conversation['exchanges'], turn: Turn, outcome: Outcome): string {
  const label = outcomeLabel(outcome);
  return isEarlyEnd(outcome) && goesOn(exchanges, turn)
    ? joinSentences([toSentence(label), t('Continued below.')])
    : label;
}

/** The words of the document of a conversation. */
export function toDocumentWords({ exchanges }: Conversation): DocumentWords {
  const { prices } = readSettings();
  return {
    you: t('You'),
    noAnswer: ({ outcome }) =>
      outcome === undefined ? t('The answer appears here when it is complete.') : t('No answer text.'),
    turnHeading(turn, attempt, attempts) {
      // The document is not updated with every phase, so it doesn't show the phase.
      const state = turn.outcome === undefined ? t('running') : describeEnd(exchanges, turn, turn.outcome);
      const who = `${answeringModel(turn) ?? turn.request.model}: ${state}`;
      return attempts > 1 ? t('{0} (attempt {1} of {2})', who, attempt, attempts) : who;
    },
    origin: (origin) => t('About {0}', toOriginLabel(origin)),
    image: (name) => t('Image: {0}', name),
    context: ({ label }) => t('Context: {0}', label),
    call: ({ name, state }) => t('Tool call, {0}: {1}', name, callStateLabel(state)),
    notes(turn) {
      const tokens = reasoningText(turn);
      return [
        ...accountOf(turn, prices),
        ...(tokens === undefined || allReasoning(turn) === ''
          ? []
          : [t('The reasoning ({0}) is in a separate document.', tokens)]),
      ].filter((note) => note !== '');
    },
  };
}

/** The words of an exported file. It includes the reasoning, because the file has no separate document for it. */
export function toExportWords(conversation: Conversation): DocumentWords {
  return {
    ...toDocumentWords(conversation),
    reasoning(turn) {
      const tokens = reasoningText(turn);
      return tokens === undefined ? t('Reasoning') : `${t('Reasoning')} · ${tokens}`;
    },
    notes: (turn) => accountOf(turn, readSettings().prices),
  };
}
