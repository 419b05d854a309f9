/** Reads the instruction files of the workspace folders. As for all context, the access policy decides which files may be read. */
import * as vscode from 'vscode';
import type { ContextItem, OmitReason } from '../../conversation/context/context.ts';
import {
  type FoundInstructions,
  findInstructions,
  type InstructionFolder,
  type InstructionsSetting,
  type ReadFile,
  stillApply,
  withinBudget,
} from '../../instructions/findInstructions.ts';
import { readFileContext } from '../context/contextItems.ts';
import { FOLDER_BUDGET_TOKENS } from '../context/contextWords.ts';
import { readInstructionsSetting } from '../settings/settings.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { decideAccess } from '../workspace/fileAccess.ts';
import { fileOf } from '../workspace/textSources.ts';

/** The maximum depth to which a folder with instruction files is read. */
const MAX_DEPTH = 4;

/**
 * The instructions that apply to files, folder by folder. If no file is in the workspace, the instructions of all folders.
 * In Restricted Mode, nothing is read.
 *
 * @param files URIs; those of folders end in `/`
 * @param sent instructions of earlier messages. They continue to apply if nothing is read, and if they are from another
 *   workspace
 */
export async function readInstructions(
  files: readonly string[],
  reads: Pick<AllowedReads, 'whichAllowed'>,
  sent: readonly ContextItem[] = [],
): Promise<FoundInstructions> {
  const setting = readInstructionsSetting();
  if (setting === 'off') return { items: [], omitted: [], ended: sent };
  if (!vscode.workspace.isTrusted) return { items: [], omitted: [] };
  const places = files.map((file) => {
    const uri = vscode.Uri.parse(file);
    // For the editor, a cell is in no workspace folder.
    return fileOf(uri);
  });
  const folders = (vscode.workspace.workspaceFolders ?? []).map((folder) => ({
    folder,
    paths: places.flatMap((uri) => pathIn(folder, uri) ?? []),
  }));
  const some = folders.filter(({ paths }) => paths.length > 0);
  const found = await Promise.all(
    (some.length > 0 ? some : folders).map(({ folder, paths }) =>
      findInstructions(toFolder(folder.uri, reads), setting, paths),
    ),
  );
  const all = {
    items: found.flatMap(({ items }) => items),
    omitted: found.flatMap(({ omitted }) => omitted),
  };
  const { items, omitted } = withinBudget(all, FOLDER_BUDGET_TOKENS);
  const omittedMore = found.reduce((sum, one) => sum + (one.omittedMore ?? 0), 0);
  const now = new Set(items.map(({ uri }) => uri));
  const ended = await Promise.all(
    sent
      .filter(({ uri }) => !now.has(uri))
      .map(async (item) => ((await isEnded(item, setting, reads)) ? [item] : [])),
  );
  return { items, omitted, ...(omittedMore > 0 && { omittedMore }), ended: ended.flat() };
}

async function isEnded(
  item: ContextItem,
  setting: InstructionsSetting,
  reads: Pick<AllowedReads, 'whichAllowed'>,
): Promise<boolean> {
  const uri = vscode.Uri.parse(item.uri ?? '');
  const folder = vscode.workspace.getWorkspaceFolder(uri);
  if (folder === undefined) return false;
  const path = pathIn(folder, uri) ?? '';
  return !(await stillApply(toFolder(folder.uri, reads), setting, path, item));
}

/** The path of a file relative to a workspace folder; undefined if it is in another folder, or in none. */
function pathIn(folder: vscode.WorkspaceFolder, uri: vscode.Uri): string | undefined {
  if (vscode.workspace.getWorkspaceFolder(uri)?.index !== folder.index) return undefined;
  return uri.path.slice(folder.uri.path.length).replace(/^\//, '');
}

/** A workspace folder, for reading instructions and prompts. Files that the policy would ask about are refused. */
export function toFolder(root: vscode.Uri, reads: Pick<AllowedReads, 'whichAllowed'>): InstructionFolder {
  return {
    list: (path) => listFiles(root, path, MAX_DEPTH),
    async read(paths) {
      const uris = paths.map((path) => vscode.Uri.joinPath(root, path));
      const there = await Promise.all(uris.map(isFile));
      const found = uris.filter((_, at) => there[at] === true);
      const before = found.length === 0 ? [] : await reads.whichAllowed(found, 'text');
      const texts = new Map(
        await Promise.all(before.map(async (uri) => [uri, await readFileContext(uri)] as const)),
      );
      // Checked again, because a link may lead to another file by now.
      const after = new Set(before.length === 0 ? [] : await reads.whichAllowed(before));
      return Promise.all(
        uris.map((uri, at): ReadFile | Promise<ReadFile> => {
          if (there[at] !== true) return there[at] === 'unknown' ? 'unreadable' : undefined;
          const read = after.has(uri) ? texts.get(uri) : undefined;
          if (read === undefined) return reasonAgainst(uri);
          return read.ok ? read.item : 'unreadable';
        }),
      );
    },
  };
}

/** Whether there is a file. `unknown`: it may exist, but can't be accessed now. */
async function isFile(uri: vscode.Uri): Promise<boolean | 'unknown'> {
  try {
    return ((await vscode.workspace.fs.stat(uri)).type & vscode.FileType.Directory) === 0;
  } catch (error) {
    const code = error instanceof vscode.FileSystemError ? error.code : '';
    return code === 'Unavailable' || code === 'NoPermissions' ? 'unknown' : false;
  }
}

/** The reason why the policy would ask about a file. The user isn't asked, because they have not selected the file. */
async function reasonAgainst(uri: vscode.Uri): Promise<OmitReason> {
  const access = await decideAccess(uri, 'read', { usesText: true });
  const reasons = access.kind === 'ask' ? access.reasons : [];
  if (reasons.includes('outside')) return 'outside';
  return reasons.includes('secret') || reasons.includes('secret-content') ? 'secret' : 'ignored';
}

/** The files below a folder, by their paths relative to the root. Links to folders are not followed. */
export async function listFiles(root: vscode.Uri, path: string, depth: number): Promise<readonly string[]> {
  const entries = await vscode.workspace.fs.readDirectory(vscode.Uri.joinPath(root, path)).then(
    (found) => found,
    // The folder doesn't exist.
    () => [],
  );
  const files: string[] = [];
  for (const [name, type] of entries) {
    const here = `${path}/${name}`;
    if ((type & vscode.FileType.Directory) === 0) files.push(here);
    else if (type === vscode.FileType.Directory && depth > 1)
      files.push(...(await listFiles(root, here, depth - 1)));
  }
  return files;
}
