/**
 * An attempt as a read-only document, to compare it with another one: its source (`k3-attempt`), or Markdown for the preview of
 * the editor (`k3-attempt-rendered`).
 */
import * as vscode from 'vscode';
import { type AttemptFact, toAttemptDocument } from '../../conversation/attemptMarkdown.ts';
import { toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { toChecks } from '../../conversation/outcomes/checks.ts';
import { firstLineOf } from '../../conversation/shownQuestion.ts';
import { askedQuestion } from '../../conversation/turn.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { toReadableMarkdown } from '../../review/readableMarkdown.ts';
import { readSettings } from '../base/settings.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Found, findOnBranches } from '../conversations/foundTurns.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import { toAccountRows } from '../wording/accountWords.ts';
import { toTurnState } from '../wording/turnState.ts';
import { toShownWhole } from './shownAnswer.ts';
import { toCheckView } from './turnView.ts';

const t = vscode.l10n.t;

const SCHEME = 'k3-attempt';
const RENDERED = 'k3-attempt-rendered';

const numberOf = ({ exchange, turn }: Found): number =>
  exchange.attempts.findIndex(({ id }) => id === turn.id) + 1;

/** The name of an attempt in a sentence. */
export const attemptName = (found: Found): string => t('attempt {0}', numberOf(found));

/** The name of an attempt as a label or a heading. */
export const attemptLabel = (found: Found): string => t('Attempt {0}', numberOf(found));

/** The URI of the document of an attempt. */
export const attemptUri = (found: Found): vscode.Uri =>
  vscode.Uri.from({
    scheme: SCHEME,
    path: `/${toFileTitle(`${attemptLabel(found)}, ${firstLineOf(found.exchange.question)}`, t('untitled'))}.md`,
    query: new URLSearchParams({ turn: found.turn.id, conversation: found.conversation.id }).toString(),
  });

/** The document to render in place of the source of an attempt; undefined for another document. */
export const toRenderedUri = (uri: vscode.Uri): vscode.Uri | undefined =>
  uri.scheme === SCHEME ? uri.with({ scheme: RENDERED }) : undefined;

/** The documents follow a running answer to its end, and don't keep the text of a deleted conversation. */
export function registerAttemptDocuments(
  conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder' | 'onDidChange'>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const update = (turnId?: string) => {
    for (const { uri } of vscode.workspace.textDocuments) {
      const isMeant = turnId === undefined || new URLSearchParams(uri.query).get('turn') === turnId;
      if (isAttempt(uri) && isMeant) changed.fire(uri);
    }
  };
  return vscode.Disposable.from(
    changed,
    ...[SCHEME, RENDERED].map((scheme) =>
      vscode.workspace.registerTextDocumentContentProvider(scheme, {
        onDidChange: changed.event,
        provideTextDocumentContent({ query }) {
          const wanted = new URLSearchParams(query);
          // Loads the conversation: a restored tab asks for its content before the conversation is opened.
          const conversation = conversations.get(wanted.get('conversation') ?? '');
          const found = conversation && findOnBranches(conversation, wanted.get('turn') ?? '');
          if (found === undefined) return t('This turn no longer exists.');
          const state = toTurnState(found.turn, runsElsewhere(conversations, found.conversation.id));
          return toText(found, state.label, scheme === RENDERED ? toReadableMarkdown : undefined);
        },
      }),
    ),
    conversations.onDidChange((change) => {
      if (change.type === 'listed') update();
      else if (change.type === 'turn' && change.turn.outcome !== change.before.outcome)
        update(change.turn.id);
    }),
  );
}

const isAttempt = ({ scheme }: vscode.Uri) => scheme === SCHEME || scheme === RENDERED;

function toText(found: Found, state: string, toMarkdown: ((text: string) => string) | undefined): string {
  const { conversation, exchange, turn } = found;
  const answer = toShownWhole(
    exchange.question,
    turn,
    toWholeAnswer(conversation.exchanges, exchange.question, turn),
  );
  const words = {
    title: attemptLabel(found),
    facts: toFacts(found, state),
    answerHeading: t('Answer'),
    reasoningHeading: t('Reasoning'),
    noAnswer: t('No answer.'),
    noReasoning: t('No reasoning.'),
  };
  return toAttemptDocument(turn, answer, words, toMarkdown);
}

/** Identifiers differ always, so they say nothing about a difference. */
const isIdentifier = ({ label }: AttemptFact) => label === t('Response ID') || label === t('Request ID');

function toFacts({ exchange, turn }: Found, state: string): readonly AttemptFact[] {
  const { preset } = askedQuestion(exchange, turn);
  const { effort, maxCompletionTokens } = turn.request;
  return [
    { label: t('Outcome'), value: state },
    ...(preset === undefined ? [] : [{ label: t('Preset'), value: preset.name }]),
    { label: t('Reasoning effort'), value: effort ?? t('Default') },
    ...(maxCompletionTokens === undefined
      ? []
      : [{ label: t('Output budget'), value: String(maxCompletionTokens) }]),
    ...(turn.outcome === undefined ? [] : toChecks(turn).map(toCheckView)).map(
      ({ name, passed, detail }) => ({
        label: name,
        value: passed ? t('passed ({0})', detail) : t('failed ({0})', detail),
      }),
    ),
    ...toAccountRows(turn, readSettings().prices).filter((row) => !isIdentifier(row)),
  ];
}
