/** The attachments of a request to `@k3`, as context of its question. */
import * as vscode from 'vscode';
import type { ContextItem } from '../../conversation/context/context.ts';
import { isImageFile } from '../../panel/imageAddress.ts';
import { readFolderContext } from '../context/contextFolders.ts';
import { readFileContext, readLinesContext } from '../context/contextItems.ts';
import type { ContextResult, ReadContext } from '../context/contextResult.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { fileKindOf } from '../workspace/fileKinds.ts';
import { labelOf } from '../workspace/textSources.ts';

const t = vscode.l10n.t;

type Reference = Pick<vscode.ChatPromptReference, 'value'>;

/** The beginning of the IDs of instruction files that the editor attaches by itself, or that the user picks as instructions. */
const INSTRUCTION_FILE = 'vscode.instructions.file.';

export const isInstructionReference = ({ id }: Pick<vscode.ChatPromptReference, 'id'>): boolean =>
  id.startsWith(INSTRUCTION_FILE);

/**
 * The attachments without instructions that K3 sends itself: the editor attaches those of the project to every request, and K3 sends
 * them only once.
 *
 * @param known the context of the question, and the instructions that were sent before it
 */
export function withoutKnown<Attached extends Reference>(
  references: readonly Attached[],
  known: readonly ContextItem[],
): readonly Attached[] {
  const addresses = new Set(known.filter(({ ended }) => ended !== true).map(({ uri }) => uri));
  return references.filter(({ value }) => !(value instanceof vscode.Uri && addresses.has(value.toString())));
}

/**
 * Reads attachments. First asks the user about those for which the access policy requires it.
 *
 * @param reads the files that the user has allowed in this window
 */
export async function readReferences(
  references: readonly Reference[],
  reads: Pick<AllowedReads, 'ask' | 'allows'>,
): Promise<ReadContext> {
  const placed = references.map(({ value }) => ({ value, uri: uriOf(value) }));
  const allowed = await reads.ask(placed.flatMap(({ uri }) => uri ?? []));
  const context: ContextItem[] = [];
  const problems: string[] = [];
  for (const { value, uri } of placed) {
    const read =
      uri === undefined
        ? refused(t('An attachment of the editor’s chat wasn’t sent because it is not a file.'))
        : allowed.has(uri)
          ? await readOne(uri, value, reads)
          : refused(t('{0} wasn’t sent.', labelOf(uri)));
    if (read.ok) context.push(read.item);
    else problems.push(read.why);
  }
  return joinContext([{ context, problems }]);
}

/** Joins the results, with each item and each problem once. */
export function joinContext(all: readonly ReadContext[]): ReadContext {
  const context: ContextItem[] = [];
  for (const item of all.flatMap((read) => read.context))
    if (!context.some((one) => isSame(one, item))) context.push(item);
  return { context, problems: [...new Set(all.flatMap(({ problems }) => problems))] };
}

const refused = (why: string): ContextResult => ({ ok: false, why });

const isSame = (one: ContextItem, other: ContextItem) =>
  one.kind === other.kind && one.uri === other.uri && one.label === other.label;

function uriOf(value: unknown): vscode.Uri | undefined {
  return value instanceof vscode.Uri ? value : value instanceof vscode.Location ? value.uri : undefined;
}

async function readOne(
  uri: vscode.Uri,
  value: unknown,
  { allows }: Pick<AllowedReads, 'allows'>,
): Promise<ContextResult> {
  const label = labelOf(uri);
  if (isImageFile(uri.path))
    return refused(t('The image {0} wasn’t sent. To attach images, open the conversation in K3.', label));
  try {
    const read =
      value instanceof vscode.Location
        ? await readLinesContext(uri, value.range)
        : (await fileKindOf(uri)) === 'folder'
          ? await readFolderContext(uri, allows)
          : await readFileContext(uri);
    // While the other attachments were read, a symbolic link may have changed its target.
    if (!read.ok || (await allows(uri))) return read;
  } catch {
    // A document that the editor can't open, for example because it was deleted or is not text.
  }
  return refused(t('{0} couldn’t be read and wasn’t sent.', label));
}
