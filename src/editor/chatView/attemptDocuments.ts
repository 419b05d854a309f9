/**
 * An attempt as a read-only document, to compare it with another one: its source (`k3-attempt`), or Markdown for the preview of
 * the editor (`k3-attempt-rendered`).
 */
import * as vscode from 'vscode';
import { type AttemptFact, toAttemptDocument } from '../../conversation/attemptMarkdown.ts';
import { askedQuestion } from '../../conversation/conversation.ts';
import { toFileTitle } from '../../conversation/conversationMarkdown.ts';
import { type Check, toChecks } from '../../conversation/outcomes/checks.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { toReadableMarkdown } from '../../review/answers/readableMarkdown.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { type Found, findOnBranches } from '../conversations/foundTurns.ts';
import { runsElsewhere } from '../conversations/freeConversation.ts';
import { readSettings } from '../settings/settings.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { toAccountRows } from '../wording/accountWords.ts';
import { toCheckView } from '../wording/checkWords.ts';
import { questionLine } from '../wording/questionLine.ts';
import { toTurnState } from '../wording/turnState.ts';
import { toShownWhole } from './shownAnswer.ts';

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
    path: `/${toFileTitle(`${attemptLabel(found)}, ${questionLine(found.exchange, found.turn)}`, t('untitled'))}.md`,
    query: new URLSearchParams({ turn: found.turn.id, conversation: found.conversation.id }).toString(),
  });

/** The document to render in place of the source of an attempt; undefined for another document. */
export const toRenderedUri = (uri: vscode.Uri): vscode.Uri | undefined =>
  uri.scheme === SCHEME ? uri.with({ scheme: RENDERED }) : undefined;

/**
 * Registers the documents. They are updated when an answer ends, and their text is removed when their conversation is
 * deleted. They are files of a read-only file system because, after a reload, the editor restores the tabs of files, but
 * not of other virtual documents.
 */
export function registerAttemptDocuments(
  conversations: Pick<Conversations, 'get' | 'isRunning' | 'holder' | 'onDidChange'>,
  structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>,
): vscode.Disposable {
  const changed = new vscode.EventEmitter<vscode.FileChangeEvent[]>();
  /** The modification time of all documents. The editor reads a file again only if this has changed. */
  let changedAt = Date.now();
  const update = (turnId?: string) => {
    changedAt = Math.max(Date.now(), changedAt + 1);
    const shown = vscode.workspace.textDocuments.map(({ uri }) => uri).filter(isAttempt);
    const meant = shown.filter(({ query }) => turnId === undefined || queryOf(query, 'turn') === turnId);
    if (meant.length > 0) changed.fire(meant.map((uri) => ({ type: vscode.FileChangeType.Changed, uri })));
  };
  const textOf = (found: Found, scheme: string) => {
    const { label } = toTurnState(found.turn, runsElsewhere(conversations, found.conversation.id));
    const checks = toChecks(found.turn, structured.judged(found.turn, found.exchange.question));
    return toText(found, label, checks, scheme === RENDERED ? toReadableMarkdown : undefined);
  };
  const read = ({ scheme, query }: vscode.Uri): Uint8Array => {
    // Loads the conversation: a restored tab asks for its content before the conversation is opened.
    const conversation = conversations.get(queryOf(query, 'conversation'));
    const found = conversation && findOnBranches(conversation, queryOf(query, 'turn'));
    return new TextEncoder().encode(
      found === undefined ? t('This turn no longer exists.') : textOf(found, scheme),
    );
  };
  const refuse = (uri: vscode.Uri): never => {
    throw vscode.FileSystemError.NoPermissions(uri);
  };
  const files: vscode.FileSystemProvider = {
    onDidChangeFile: changed.event,
    watch: () => new vscode.Disposable(() => undefined),
    stat: (uri) => ({ type: vscode.FileType.File, ctime: 0, mtime: changedAt, size: read(uri).byteLength }),
    readFile: read,
    readDirectory: () => [],
    createDirectory: refuse,
    writeFile: refuse,
    delete: refuse,
    rename: refuse,
  };
  return vscode.Disposable.from(
    changed,
    ...[SCHEME, RENDERED].map((scheme) =>
      vscode.workspace.registerFileSystemProvider(scheme, files, { isReadonly: true, isCaseSensitive: true }),
    ),
    structured.onDidJudge(update),
    // The text may have changed after the editor read it and before the document was open.
    vscode.workspace.onDidOpenTextDocument((document) => {
      const { uri } = document;
      const isOld = isAttempt(uri) && document.getText() !== new TextDecoder().decode(read(uri));
      if (isOld) update(queryOf(uri.query, 'turn'));
    }),
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration('k3.prices')) update();
    }),
    conversations.onDidChange((change) => {
      if (change.type === 'listed') update();
      else if (change.type === 'turn' && change.turn.outcome !== change.before.outcome)
        update(change.turn.id);
    }),
  );
}

const queryOf = (query: string, name: string): string => new URLSearchParams(query).get(name) ?? '';

const isAttempt = ({ scheme }: vscode.Uri) => scheme === SCHEME || scheme === RENDERED;

function toText(
  found: Found,
  state: string,
  checks: readonly Check[],
  toMarkdown: ((text: string) => string) | undefined,
): string {
  const { conversation, exchange, turn } = found;
  const answer = toShownWhole(
    exchange.question,
    turn,
    toWholeAnswer(conversation.exchanges, exchange.question, turn),
  );
  const words = {
    title: attemptLabel(found),
    facts: toFacts(found, state, checks),
    answerHeading: t('Answer'),
    reasoningHeading: t('Reasoning'),
    noAnswer: t('No answer.'),
    noReasoning: t('No reasoning.'),
  };
  return toAttemptDocument(turn, answer, words, toMarkdown);
}

/** Whether a row is left out: IDs always differ, and the checks already show the model and the finish reason. */
const isSaid = ({ label }: AttemptFact, checked: boolean) =>
  [t('Response ID'), t('Request ID'), ...(checked ? [t('Model'), t('Finish reason')] : [])].includes(label);

function toFacts({ exchange, turn }: Found, state: string, checks: readonly Check[]): readonly AttemptFact[] {
  const { preset } = askedQuestion(exchange, turn);
  const { effort, maxCompletionTokens } = turn.request;
  const checked = turn.outcome !== undefined;
  return [
    { label: t('Outcome'), value: state },
    ...(preset === undefined ? [] : [{ label: t('Preset'), value: preset.name }]),
    { label: t('Reasoning effort'), value: effort ?? t('Default') },
    ...(maxCompletionTokens === undefined
      ? []
      : [{ label: t('Output budget'), value: String(maxCompletionTokens) }]),
    ...(checked ? checks.map(toCheckView) : []).map(({ name, passed, detail }) => ({
      label: name,
      value: passed === undefined ? detail : passed ? t('passed ({0})', detail) : t('failed ({0})', detail),
    })),
    ...toAccountRows(turn, readSettings().prices).filter((row) => !isSaid(row, checked)),
  ];
}
