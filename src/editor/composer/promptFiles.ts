/** Reads prompt files: those in the folder of the user, and those of a trusted workspace. */
import { homedir } from 'node:os';
import { isAbsolute, normalize } from 'node:path';
import * as vscode from 'vscode';
import type { InstructionFolder } from '../../instructions/findInstructions.ts';
import { type Prompt, parsePrompt, promptNameOf } from '../../instructions/promptFile.ts';
import { lowerEffort } from '../../requests/presets.ts';
import type { SettingProblem } from '../../requests/refusal.ts';
import { readFileContext } from '../context/contextItems.ts';
import { readPromptsFolder, readSettings } from '../settings/settings.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { listFiles, toFolder } from './instructionFiles.ts';

const WORKSPACE_FOLDER = '.github/prompts';
/** The maximum number of files that are read in each folder, and the maximum depth. */
const MAX_FILES = 100;
const MAX_DEPTH = 4;

/**
 * The prompts of the user, then those of the workspace. If several have the same name, the first one is used. Users type
 * names in any case, so a workspace can't take the name of a user's prompt by writing it in another case.
 *
 * @param taken the names of commands, which no prompt can have
 */
export async function readPrompts(
  reads: Pick<AllowedReads, 'whichAllowed'>,
  taken: readonly string[],
): Promise<readonly Prompt[]> {
  const own = await readOwn();
  const reserved = new Set(own.map(({ name }) => name.toLowerCase()));
  const others = (await readWorkspace(reads)).filter(({ name }) => !reserved.has(name.toLowerCase()));
  const names = new Set(taken);
  return [...own, ...others].filter(({ name }) => !names.has(name) && names.add(name));
}

/** The user's folder; undefined if the path is relative. */
function toRoot(path: string): vscode.Uri | undefined {
  const absolute = path.replace(/^~(?=$|[\\/])/, () => homedir());
  return isAbsolute(absolute) ? vscode.Uri.file(normalize(absolute)) : undefined;
}

/** The reason why there are no prompts of the user although the setting names a folder. */
export async function findFolderProblem(): Promise<SettingProblem | undefined> {
  const { path, problems } = readPromptsFolder();
  if (path === '') return problems[0];
  const problem = { setting: 'k3.prompts', value: path };
  const root = toRoot(path);
  if (root === undefined) return { ...problem, problem: 'relative-path' };
  return vscode.workspace.fs.readDirectory(root).then(
    () => undefined,
    () => ({ ...problem, problem: 'no-folder' }),
  );
}

/** The user has chosen the folder, so it can be anywhere. */
async function readOwn(): Promise<readonly Prompt[]> {
  const root = toRoot(readPromptsFolder().path);
  if (root === undefined) return [];
  return readAll(await listFiles(root, '', MAX_DEPTH), (files) =>
    Promise.all(
      files.map(async (file) => {
        const read = await readFileContext(vscode.Uri.joinPath(root, file));
        return read.ok ? read.item : undefined;
      }),
    ),
  );
}

/** The prompts of the workspace: none in Restricted Mode, and no files that the policy would ask about. */
async function readWorkspace(reads: Pick<AllowedReads, 'whichAllowed'>): Promise<readonly Prompt[]> {
  if (!vscode.workspace.isTrusted) return [];
  const folders = (vscode.workspace.workspaceFolders ?? []).map(({ uri }) => toFolder(uri, reads));
  const found = await Promise.all(
    folders.map(async (folder) => readAll(await folder.list(WORKSPACE_FOLDER), folder.read)),
  );
  return found.flat().map(withoutMore);
}

/** The names of the workspace's prompts that aren't read because of Restricted Mode. */
export const listUntrustedPrompts = async (): Promise<readonly string[]> =>
  vscode.workspace.isTrusted ? [] : listNames();

/** The names of the workspace's prompts, even if they may not be read. Only the names of the files are used, not their text. */
async function listNames(): Promise<readonly string[]> {
  const folders = vscode.workspace.workspaceFolders ?? [];
  const paths = await Promise.all(folders.map(({ uri }) => listFiles(uri, WORKSPACE_FOLDER, MAX_DEPTH)));
  return paths.flat().flatMap((path) => promptNameOf(path) ?? []);
}

/** Whether a prompt of the workspace has this name, even if it may not be read. */
export async function isWorkspacePrompt(name: string): Promise<boolean> {
  const names = await listNames();
  return names.some((one) => one.toLowerCase() === name.toLowerCase());
}

/**
 * A prompt without its effort if that is more than the user has set. A file of the workspace may only lower the effort,
 * because more costs more.
 */
function withoutMore({ effort, ...prompt }: Prompt): Prompt {
  const isLower = lowerEffort(effort, readSettings().effort) === effort;
  return effort !== undefined && isLower ? { ...prompt, effort } : prompt;
}

async function readAll(
  paths: readonly string[],
  read: InstructionFolder['read'],
): Promise<readonly Prompt[]> {
  const named = paths.toSorted().flatMap((path) => {
    const name = promptNameOf(path);
    return name === undefined ? [] : [{ path, name }];
  });
  const some = named.slice(0, MAX_FILES);
  const files = await read(some.map(({ path }) => path));
  return some.flatMap(({ name }, at) => {
    const file = files[at];
    const [part] = typeof file === 'object' ? file.parts : [];
    return (part && parsePrompt(name, part.text, part.linesInAll !== undefined)) ?? [];
  });
}
