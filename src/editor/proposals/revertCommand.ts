/** Takes back the accepted edits of a message, or of this and all later messages, in all files at once. */
import * as vscode from 'vscode';
import type { Proposal } from '../../review/proposals/proposal.ts';
import { acceptedFiles, countAccepted } from '../../review/proposals/revertPlan.ts';
import { proposalsSince } from '../../review/proposals/revertScope.ts';
import type { Log } from '../base/log.ts';
import { showInformation } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { joinList } from '../base/sentences.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { questionLine } from '../wording/questionLine.ts';
import type { MissingFiles } from './missingFiles.ts';
import type { Proposals } from './proposalList.ts';
import { createRevertEdits } from './revertEdits.ts';
import { tellReverted } from './revertNotes.ts';

const t = vscode.l10n.t;

export interface RevertCommandDeps {
  readonly conversations: Pick<Conversations, 'find' | 'front'>;
  readonly proposals: Proposals;
  readonly missing: Pick<MissingFiles, 'isMissing'>;
  readonly log: Pick<Log, 'warn'>;
}

/** A message with accepted hunks, and the proposals with accepted hunks since it was asked. */
interface Message {
  /** The first line of the question. */
  readonly question: string;
  readonly own: readonly Proposal[];
  readonly since: readonly Proposal[];
}

/** Creates the command. Its argument is the ID of the turn with the answer. */
export function createRevertCommand({
  conversations,
  proposals,
  missing,
  log,
}: RevertCommandDeps): (turnId: unknown) => Promise<void> {
  const edits = createRevertEdits({ proposals, missing });

  /** @param turnId the turn with the answer; undefined for the last one of the open conversation with accepted hunks */
  function findMessage(turnId: string | undefined): Message | undefined {
    const found = turnId === undefined ? undefined : conversations.find(turnId);
    if (turnId !== undefined && found === undefined) return undefined;
    const { id } = found?.conversation ?? conversations.front();
    const accepted = proposals.ofConversation(id).filter((one) => acceptedFiles([one]).length > 0);
    const wanted = turnId ?? accepted.at(-1)?.turnId;
    const own = accepted.filter((one) => one.turnId === wanted);
    const [first] = own;
    if (first === undefined) return undefined;
    const asked = conversations.find(first.turnId);
    const { exchanges = [] } = asked?.conversation ?? {};
    const turnIds = exchanges.flatMap(({ attempts }) => attempts.map((turn) => turn.id));
    const question = asked === undefined ? '' : questionLine(asked.exchange, asked.turn);
    return { question, own, since: proposalsSince(accepted, own, turnIds) };
  }

  async function revert(turnId: string | undefined): Promise<void> {
    const message = findMessage(turnId);
    if (message === undefined) return void showInformation(t('There are no accepted edits to revert.'));
    const chosen = await chooseProposals(message);
    if (chosen === undefined) return;
    const reverted = await edits.revert(chosen.map(({ id }) => id));
    if (reverted !== undefined) tellReverted({ proposals, log }, reverted);
  }

  return (turnId) => revert(typeof turnId === 'string' ? turnId : undefined);
}

/** Asks what to take back, also if there is only one choice, because the command changes files. */
async function chooseProposals({ question, own, since }: Message): Promise<readonly Proposal[] | undefined> {
  const choices = [
    {
      label: t('This message'),
      description: countText(own),
      // Shows the question: from the Command Palette, the answer may not be in view.
      detail: toDetail([filesText(own), question]),
      proposals: own,
    },
    ...(since.length === own.length
      ? []
      : [
          {
            label: t('This message and all later messages'),
            description: countText(since),
            detail: toDetail([filesText(since)]),
            proposals: since,
          },
        ]),
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: t('Revert Accepted Edits'),
    placeHolder: t('Text that has changed since then is kept'),
  });
  return picked?.proposals;
}

const toDetail = (parts: readonly string[]): string =>
  withoutIcons(parts.filter((part) => part !== '').join(' · '));

/** The most file names to show, so that there is room for the question. */
const MAX_NAMES = 3;

function filesText(proposals: readonly Proposal[]): string {
  const names = [...new Set(acceptedFiles(proposals).map(({ file }) => file.label))];
  return joinList([...names.slice(0, MAX_NAMES), ...(names.length > MAX_NAMES ? ['…'] : [])]);
}

/** “3 edits in 2 files” */
function countText(proposals: readonly Proposal[]): string {
  const files = acceptedFiles(proposals);
  return plural(
    t('{0, plural, one {# edit} other {# edits}} in {1, plural, one {# file} other {# files}}'),
    files.reduce((sum, { file }) => sum + countAccepted(file), 0),
    new Set(files.map(({ file }) => file.uri)).size,
  );
}
