/** Which instruction files of a workspace folder apply to a question, in the order in which they are sent. */
import {
  type ContextItem,
  contextTokens,
  type OmitReason,
  type OmittedPart,
} from '../conversation/context/context.ts';
import { appliesTo } from './appliesTo.ts';
import { parseFrontMatter } from './frontMatter.ts';

/** `on`, `off`, or the files to send, by their paths in the workspace folder. */
export type InstructionsSetting = 'on' | 'off' | readonly string[];

/** A workspace folder. Paths are relative to it, with `/` as separator. */
export interface InstructionFolder {
  /** The files below a folder. */
  list(folder: string): Promise<readonly string[]>;
  /** Returns for each file, in order: its item with its text in one part, why it may not be read, or undefined if it doesn't exist. */
  read(paths: readonly string[]): Promise<readonly ReadFile[]>;
}

export type ReadFile = ContextItem | OmitReason | undefined;

export interface FoundInstructions {
  /** One item for each file. */
  readonly items: readonly ContextItem[];
  readonly omitted: readonly OmittedPart[];
  /** The number of files that were not looked at, because there are too many. */
  readonly omittedMore?: number;
  /** Instructions of earlier messages that no longer apply. */
  readonly ended?: readonly ContextItem[];
}

const AGENTS = 'AGENTS.md';
const COPILOT = '.github/copilot-instructions.md';
const FOLDER = '.github/instructions';
const NAME = '.instructions.md';

/** The maximum number of files of each kind that are looked at. */
const MAX_FILES = 100;

/**
 * Finds instructions from general to specific: those of the repository, then those of nested folders, so that instructions nearer
 * to a file come later.
 *
 * @param files the files that the question is about; paths of folders end in `/`
 */
export async function findInstructions(
  folder: InstructionFolder,
  setting: InstructionsSetting,
  files: readonly string[],
): Promise<FoundInstructions> {
  if (setting === 'off') return { items: [], omitted: [] };
  if (setting !== 'on') return readListed(folder, setting);
  const listed = (await folder.list(FOLDER)).filter((path) => path.endsWith(NAME)).toSorted();
  const wanted: readonly Wanted[] = [
    { path: COPILOT },
    { path: AGENTS },
    ...listed.slice(0, MAX_FILES).map((path) => ({ path, byGlobs: files })),
    ...nestedIn(files)
      .slice(0, MAX_FILES)
      .map((below) => ({ path: below + AGENTS, below })),
  ];
  return { ...(await readAll(folder, wanted)), ...moreThanCount(listed) };
}

const moreThanCount = ({ length }: readonly string[]): Pick<FoundInstructions, 'omittedMore'> =>
  length > MAX_FILES ? { omittedMore: length - MAX_FILES } : {};

/**
 * Leaves out instructions that exceed a budget. General ones come first, and later ones that still fit stay. The first one is
 * kept however long it is, because each file has a limit of its own. The list of instructions shows what was left out.
 *
 * @param budget in estimated tokens
 */
export function withinBudget(
  { items, omitted, ...rest }: FoundInstructions,
  budget: number,
): FoundInstructions {
  let left = budget;
  const kept: ContextItem[] = [];
  const over: OmittedPart[] = [];
  for (const item of items) {
    const tokens = contextTokens(item);
    if (tokens > left && kept.length > 0) over.push({ label: item.label, why: 'over-budget' });
    else {
      left -= tokens;
      kept.push(item);
    }
  }
  return { items: kept, omitted: [...omitted, ...over], ...rest };
}

/** Whether a file is sent by default with some questions. */
const isInstructionFile = (path: string): boolean =>
  isScoped(path) || path === COPILOT || path === AGENTS || path.endsWith(`/${AGENTS}`);

const isScoped = (path: string) => path.startsWith(`${FOLDER}/`) && path.endsWith(NAME);

interface Wanted {
  readonly path: string;
  /** The file applies if its globs match one of these files. */
  readonly byGlobs?: readonly string[];
  /** The folder for whose files the instructions are. */
  readonly below?: string;
}

/**
 * Whether instructions of an earlier message still apply to the files that they were for. They do if their file can't be read at
 * the moment. They don't if the file is gone or empty, is no longer one of the setting, or is for other files now.
 */
export async function stillApply(
  folder: InstructionFolder,
  setting: InstructionsSetting,
  path: string,
  { parts }: ContextItem,
): Promise<boolean> {
  const scoped = setting === 'on' && isScoped(path);
  const isOurs =
    setting === 'on'
      ? isInstructionFile(path)
      : setting !== 'off' && setting.some((listed) => toInside(listed) === path);
  const [read] = isOurs ? await folder.read([path]) : [];
  if (typeof read !== 'object') return read !== undefined;
  const { globs, body } = parse(read);
  return body.trim() !== '' && (!scoped || globs === parts[0]?.appliesTo);
}

/** The folders that contain files, below the workspace folder. Outer folders come first. */
function nestedIn(files: readonly string[]): readonly string[] {
  const folders = files.flatMap((file) =>
    [...file.matchAll(/\//g)].map(({ index }) => file.slice(0, index + 1)),
  );
  const depth = (path: string) => path.split('/').length;
  return [...new Set(folders)].toSorted((a, b) => depth(a) - depth(b) || (a < b ? -1 : 1));
}

async function readListed(folder: InstructionFolder, paths: readonly string[]): Promise<FoundInstructions> {
  const inside = paths.slice(0, MAX_FILES).map((path) => ({ path, inside: toInside(path) }));
  const known = [...new Set(inside.flatMap((one) => one.inside ?? []))];
  const { items, omitted } = await readAll(
    folder,
    known.map((path) => ({ path })),
    'unreadable',
  );
  const outside = inside.flatMap(({ path, inside }): readonly OmittedPart[] =>
    inside === undefined ? [{ label: path, why: 'outside' }] : [],
  );
  return { items, omitted: [...omitted, ...outside], ...moreThanCount(paths) };
}

/** A path without `.` and `..`; undefined if it isn't one in the workspace folder. */
function toInside(path: string): string | undefined {
  if (path.startsWith('/') || /[\\\0]|^[A-Za-z]:/.test(path)) return undefined;
  const parts: string[] = [];
  for (const part of path.split('/')) {
    if (part === '..' && parts.pop() === undefined) return undefined;
    if (part !== '' && part !== '.' && part !== '..') parts.push(part);
  }
  return parts.length === 0 ? undefined : parts.join('/');
}

/** @param missing the reason to give for a file that doesn't exist; undefined if files may be missing */
async function readAll(
  folder: InstructionFolder,
  wanted: readonly Wanted[],
  missing?: OmitReason,
): Promise<FoundInstructions> {
  const items: ContextItem[] = [];
  const omitted: OmittedPart[] = [];
  const all = await folder.read(wanted.map(({ path }) => path));
  for (const [at, one] of wanted.entries()) {
    const read = all[at] ?? missing;
    const item = typeof read === 'object' ? toItem(read, one) : undefined;
    if (typeof read === 'string') omitted.push({ label: one.path, why: read });
    if (item !== undefined) items.push(item);
  }
  return { items, omitted };
}

function toItem(item: ContextItem, { byGlobs, below }: Wanted): ContextItem | undefined {
  const [part] = item.parts;
  const { globs, body } = parse(item);
  if (part === undefined || body.trim() === '') return undefined;
  if (byGlobs !== undefined && !appliesTo(globs, byGlobs)) return undefined;
  const scope = byGlobs === undefined ? below : globs;
  return {
    ...item,
    kind: 'instructions',
    parts: [{ ...part, text: body, ...(scope !== undefined && { appliesTo: scope }) }],
  };
}

function parse({ parts: [part] }: ContextItem): { readonly globs: string; readonly body: string } {
  const text = part?.text ?? '';
  const { fields, unread, body } = parseFrontMatter(text);
  const { applyTo = '' } = fields;
  // This is a text between two horizontal rules.
  if (unread.has('') && applyTo === '') return { globs: '', body: text };
  return { globs: typeof applyTo === 'string' ? applyTo : applyTo.join(','), body };
}
