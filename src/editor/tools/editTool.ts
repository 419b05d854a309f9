/** The tool with which the model proposes changes. It creates a proposal, and writes nothing. */
import * as vscode from 'vscode';
import type { ToolResult } from '../../conversation/toolCalls/tools.ts';
import { toWholeAnswer } from '../../requests/wholeAnswer.ts';
import { placeEdits, type UnplacedEditReason } from '../../review/edits/editPlacement.ts';
import { EDIT_SCHEMA, type ProposedEdit } from '../../review/edits/proposalAnswer.ts';
import { carryOver } from '../../review/proposals/openHunks.ts';
import { type FileProposal, isUndecided, toFileProposal } from '../../review/proposals/proposal.ts';
import type { UnderReview } from '../../review/proposals/proposalSet.ts';
import type { Log } from '../base/log.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { addProposal, toSuccession } from '../proposals/addProposal.ts';
import { readTarget, toNewest } from '../proposals/proposalFiles.ts';
import type { Proposals } from '../proposals/proposalList.ts';
import { showReplaced } from '../proposals/reviewNotes.ts';
import type { WhileAsking } from '../workspace/accessRequests.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { openCellsOf } from '../workspace/notebookTexts.ts';
import { readText } from '../workspace/textSources.ts';
import { isStillThere } from '../workspace/workspaceBoundary.ts';
import { createCallQueue } from './callQueue.ts';
import { UNREAD } from './fileTools.ts';
import {
  type BuiltInTool,
  createDefinition,
  type ToolArguments,
  type ToolContext,
  textIn,
} from './toolDefinitions.ts';
import { describeMoved, ToolRefusal } from './toolFileAccess.ts';

const t = vscode.l10n.t;

export interface EditToolDeps {
  readonly proposals: Pick<Proposals, 'add' | 'get' | 'ofFile' | 'ofTurn' | 'change'>;
  /** The running turn of a conversation. */
  readonly runningTurn: (conversationId: string) => Found | undefined;
  readonly log: Pick<Log, 'warn'>;
}

export function createEditTool(deps: EditToolDeps): BuiltInTool {
  /** Runs the calls of a conversation one after the other, because edits of one answer build on each other. */
  const queue = createCallQueue();
  let told: string | undefined;
  /** Shows the notification once for an answer, which can change many files. The chat reports each of them. */
  const tell = (turnId: string, [first]: readonly UnderReview[]) => {
    if (first === undefined || told === turnId) return;
    told = turnId;
    showReplaced(deps.log, first);
  };
  return {
    definition: createDefinition(
      'propose_edit',
      'Proposes changes of one file to the user, who reviews each before it is written. Nothing is on the disk afterwards: read_file still gives the old text. Later calls for the same file build on the earlier ones.',
      {
        path: {
          type: 'string',
          description:
            'The path of the file, relative to the workspace; for a cell of an open notebook, such as a.ipynb#1.',
        },
        edits: {
          type: 'array',
          minItems: 1,
          description: 'For a new file one edit with an empty find.',
          items: EDIT_SCHEMA,
        },
      },
      ['path', 'edits'],
    ),
    title: (args) => t('Propose changes to {0}', textIn(args, 'path') ?? ''),
    run: (args, call) =>
      queue.run(call, (whileAsking) => propose({ ...deps, tell, whileAsking }, args, call)),
  };
}

interface ProposingDeps extends EditToolDeps {
  /** Tells the user about hunks of other proposals that an answer has replaced. */
  tell(turnId: string, lost: readonly UnderReview[]): void;
  /** Wraps the time in which the user is asked, so that the calls behind this one wait as well. */
  readonly whileAsking: WhileAsking;
}

async function propose(deps: ProposingDeps, args: ToolArguments, call: ToolContext): Promise<ToolResult> {
  const { conversationId, access, signal } = call;
  signal.throwIfAborted();
  const running = deps.runningTurn(conversationId);
  if (running === undefined) throw new ToolRefusal('There is no running answer to attach the proposal to.');
  const turnId = running.turn.id;
  const path = textIn(args, 'path') ?? '';
  const edits = editsIn(args);
  const place = await access.open(path, 'propose', signal, deps.whileAsking);
  const read = await readTarget(place.uri).catch(
    // The reason is found out below.
    () => undefined,
  );
  if (!(await isStillThere(place))) throw new ToolRefusal(describeMoved(path));
  if (read === undefined) throw new ToolRefusal(`${path}: ${await whyUnread(place.uri)}`);
  if ((await fileKindOf(place.uri)) === 'folder') throw new ToolRefusal(`${path} is a folder.`);
  const target = toNewest(read);
  const uri = target.uri.toString();
  const parts = partsBefore(running);
  const earlier = findEarlier(deps.proposals, running, parts, uri);
  const { base, dropped } = carryOver(earlier, target.text, target.lineEnd);
  const missing = !target.exists && earlier?.isNew !== true && edits.some(({ find }) => find !== '');
  if (missing) throw new ToolRefusal(`${path}: the file does not exist. To create it, leave find empty.`);
  const { after, unplaced } = placeEdits(base, edits, undefined, target.lineEnd);
  // The refusal tells which words are in the file, and so a key letter by letter.
  if (unplaced.length > 0 || (target.exists && after === base)) {
    const { realPath } = await access.open(path, 'read', signal, deps.whileAsking);
    if (realPath !== place.realPath) throw new ToolRefusal(describeMoved(path));
  }
  if (unplaced.length > 0) throw new ToolRefusal(describeUnplaced(path, unplaced));
  const file = toFileProposal({
    uri,
    label: target.label,
    isNew: !target.exists,
    before: target.text,
    after,
    asked: undefined,
    unplaced: [],
    lineEnd: target.lineEnd,
  });
  if (file.hunks.length === 0 || after === base)
    throw new ToolRefusal(`${path}: ${whyUnchanged(base, after, target.exists)}`);
  signal.throwIfAborted();
  const { displaced } = earlier ?? {};
  const fresh = { ...file, ...(displaced && { displaced }) };
  const by = toSuccession(running, { origin: undefined });
  deps.tell(
    turnId,
    addProposal(
      deps.proposals,
      { turnId, conversationId, files: [fresh], trouble: undefined, revises: undefined },
      { ...by, replaces: (one) => parts.includes(one.turnId) || by.replaces(one) },
    ),
  );
  return { text: describeProposed(file, dropped) };
}

/** The IDs of the turns that a turn continues. */
const partsBefore = ({ conversation, exchange, turn }: Found): readonly string[] =>
  toWholeAnswer(conversation.exchanges, exchange.question, turn).earlier.map(({ id }) => id);

/**
 * The last proposal for a file, on which further edits build: by the turn itself, or by the turns that it continues. If
 * another attempt at the continuation has replaced proposals of those turns, they count as not replaced.
 */
function findEarlier(
  proposals: EditToolDeps['proposals'],
  { exchange, turn }: Found,
  parts: readonly string[],
  uri: string,
): FileProposal | undefined {
  const filesOf = (turnIds: readonly string[]) =>
    turnIds
      .flatMap(proposals.ofTurn)
      .flatMap(({ files }) => files)
      .filter((file) => file.uri === uri);
  const own = filesOf([turn.id]);
  if (own.length > 0) return own.findLast(isUndecided);
  const isOfOther = (id = '') => exchange.attempts.some((other) => other.id === proposals.get(id)?.turnId);
  return filesOf(parts)
    .map((file) => (isOfOther(file.replacedBy) ? { ...file, replacedBy: undefined } : file))
    .findLast(isUndecided);
}

/**
 * Why an edit changes nothing that can be proposed, for the model.
 *
 * @param base the text with the earlier proposal, which a proposal without changes can't replace
 */
function whyUnchanged(base: string, after: string, exists: boolean): string {
  if (!exists && after === '')
    return 'a file without text cannot be proposed. Write a line into it, or ask the user to create it.';
  return after === base
    ? 'the edit makes no changes.'
    : 'the edit takes back what you proposed before, which stays under review. Ask the user to reject it.';
}

/** Why the editor can't open a file, for the model. */
async function whyUnread(uri: vscode.Uri): Promise<string> {
  const cells = openCellsOf(uri);
  const [first, last] = [cells?.[0]?.path, cells?.at(-1)?.path];
  if (cells !== undefined)
    return `it is open as a notebook, and only its cells can be changed${first ? `: ${first} to ${last}` : ''}.`;
  const read = await readText(uri);
  return read.ok ? 'the file cannot be opened in the editor.' : UNREAD[read.why];
}

function editsIn(args: ToolArguments): readonly ProposedEdit[] {
  const edits = Array.isArray(args['edits']) ? args['edits'] : [];
  return edits.flatMap((edit: unknown): readonly ProposedEdit[] => {
    if (typeof edit !== 'object' || edit === null || !('find' in edit) || !('replace' in edit)) return [];
    const { find, replace } = edit;
    return typeof find === 'string' && typeof replace === 'string' ? [{ find, replace }] : [];
  });
}

/** Why edits can't be placed, for the model. Nothing is proposed then, because the model can correct the call. */
function describeUnplaced(path: string, unplaced: FileProposal['unplaced']): string {
  const why = {
    'not-there': 'is not in the file',
    'part-of-line': 'is only part of a line of the file; give whole lines',
    several: 'is in the file several times; give more lines around it',
    overlaps: 'overlaps another edit',
    'file-missing': 'is for a file that does not exist',
    'file-exists': 'is for a new file, but the file has text already',
    'whole-file': 'is for the whole file',
    'no-text': 'is for a new file without text',
    'marker-left': 'leaves a conflict marker alone',
    unclear: 'is not clear',
    'too-many': 'is behind too many others; give fewer in one call',
    unreadable: 'is for a file that cannot be read',
    moved: 'is for a file that was moved while it was read',
    refused: 'is for a file that the user did not allow',
  } as const satisfies Record<UnplacedEditReason, string>;
  const lines = unplaced.map(
    ({ edit, reason }) => `- ${JSON.stringify(edit.find.slice(0, 120))} ${why[reason]}`,
  );
  return `Nothing was proposed for ${path}:\n${lines.join('\n')}`;
}

/**
 * The result of the call, for the model.
 *
 * @param dropped the number of earlier changes that the proposal no longer contains
 */
function describeProposed({ label, hunks, isNew }: FileProposal, dropped: number): string {
  const toCount = (count: number) => `${count} ${count === 1 ? 'change' : 'changes'}`;
  const lost =
    dropped === 0
      ? ''
      : ` ${toCount(dropped)} that you proposed earlier could not be kept, because the user has changed those lines. Read the file again if they are still needed.`;
  const what = isNew ? 'a new file' : toCount(hunks.length);
  return `Proposed ${what} for ${label}. The user reviews it; it is not written yet.${lost}`;
}
