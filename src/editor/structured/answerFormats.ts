/** Choose Answer Format (`k3.pickAnswerFormat`): text, JSON, or JSON with a schema from a file, editor, or clipboard. */
import * as vscode from 'vscode';
import {
  type AnswerFormat,
  MAX_SCHEMA_BYTES,
  parseSchema,
  type SchemaCheck,
} from '../../conversation/answerFormats/answerFormat.ts';
import { messageOf } from '../../service/errorMessage.ts';
import { askForInput, withoutLinks } from '../base/notifications.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import type { Composer } from '../composer/composerState.ts';
import type { Composers } from '../composer/composers.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { describeLack } from '../wording/probeWords.ts';
import type { AllowedReads } from '../workspace/allowedReads.ts';
import { findDocument, labelOf } from '../workspace/textSources.ts';
import { loadSchemaCheck } from './structuredAnswers.ts';
import { describeSchemaProblem, toFormatLabel } from './structuredWords.ts';

const t = vscode.l10n.t;

export interface AnswerFormatsDeps {
  readonly conversations: Pick<Conversations, 'front'>;
  readonly composers: Pick<Composers, 'of' | 'changed'>;
  readonly probes: Pick<RouteProbes, 'lackOf'>;
  readonly reads: Reads;
}

type Reads = Pick<AllowedReads, 'ask' | 'allows'>;

/** A format, a message that says why a schema was refused, or undefined if the user canceled. */
type FormatChoice = { readonly format: AnswerFormat | undefined } | { readonly refusal: string } | undefined;

/**
 * Returns the command. It resolves with whether something was chosen. If a schema was refused, the message box shows why, and keeps its
 * draft and format.
 *
 * @returns a function of the ID of a conversation; by default, that of the chat in front
 */
export function createAnswerFormats({
  conversations,
  composers,
  probes,
  reads,
}: AnswerFormatsDeps): (given: unknown) => Promise<boolean> {
  /** The messages about refused schemas. A composer can also show other refusals. */
  const told = new WeakMap<Composer, string>();
  return async (given) => {
    // A deleted conversation keeps the choice for when it is restored.
    const id = typeof given === 'string' ? given : conversations.front().id;
    const composer = composers.of(id);
    const chosen = await pickFormat(composer.format, reads, describeLacks(probes));
    if (chosen === undefined) return false;
    if ('format' in chosen) composer.format = chosen.format;
    if ('refusal' in chosen) {
      composer.refusal = chosen.refusal;
      told.set(composer, chosen.refusal);
    } else if (composer.refusal === told.get(composer)) composer.refusal = undefined;
    composers.changed(id);
    if (given === undefined) await vscode.commands.executeCommand('k3.focusChat', id);
    return true;
  };
}

/** For each format that the active route doesn't support, a sentence that says so. */
interface Lacks {
  readonly json?: string;
  readonly schema?: string;
}

function describeLacks(probes: Pick<RouteProbes, 'lackOf'>): Lacks {
  const known = (['json', 'schema'] as const).map((check) => {
    const lack = probes.lackOf(check);
    return lack && [check, describeLack(lack.routeName, lack.result)];
  });
  return Object.fromEntries(known.filter((one) => one !== undefined));
}

interface Choice extends vscode.QuickPickItem {
  readonly choose?: () => Promise<FormatChoice>;
}

async function pickFormat(now: AnswerFormat | undefined, reads: Reads, lacks: Lacks): Promise<FormatChoice> {
  const title = t('Answer format');
  const picked = await vscode.window.showQuickPick(toChoices(now, reads, lacks), { title });
  return picked?.choose?.();
}

async function toChoices(
  now: AnswerFormat | undefined,
  reads: Reads,
  { json, schema }: Lacks,
): Promise<Choice[]> {
  const check = { iconPath: new vscode.ThemeIcon('check') };
  return [
    {
      label: t('Text'),
      description: t('no fixed format'),
      ...(now === undefined && check),
      choose: async () => ({ format: undefined }),
    },
    {
      label: 'JSON',
      description: t('any JSON object'),
      ...(json && { detail: json }),
      ...(now?.kind === 'json' && check),
      choose: async () => ({ format: { kind: 'json' } }),
    },
    ...(now?.kind === 'schema'
      ? [{ label: withoutIcons(toFormatLabel(now)), description: t('the current schema'), ...check }]
      : []),
    { label: t('JSON with a schema'), kind: vscode.QuickPickItemKind.Separator },
    ...schemaInEditor(),
    { label: t('From a File…'), ...(schema && { detail: schema }), choose: () => pickFile(reads) },
    { label: t('Paste a Schema…'), ...(schema && { detail: schema }), choose: pasteSchema },
    ...(await schemaFiles(reads)),
  ];
}

/** The document of the active editor, saved or not, if it can be a schema. */
function schemaInEditor(): readonly Choice[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !['json', 'jsonc', 'plaintext'].includes(document.languageId)) return [];
  if (document.uri.scheme !== 'untitled' && document.languageId === 'plaintext') return [];
  const label = labelOf(document.uri);
  return [
    {
      label: t('From the Editor'),
      description: withoutIcons(label),
      choose: () => toFormatChoice(document.getText(), label),
    },
  ];
}

/** Files of the workspace whose names end in `schema.json`. */
async function schemaFiles(reads: Reads): Promise<readonly Choice[]> {
  const found = await vscode.workspace.findFiles('**/*schema.json', '**/{node_modules,.git}/**', MAX_FILES);
  return found
    .map((uri) => ({ uri, label: labelOf(uri) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
    .map(({ uri, label }) => ({ label: withoutIcons(label), choose: () => readFile(uri, reads) }));
}

const MAX_FILES = 30;

async function pickFile(reads: Reads): Promise<FormatChoice> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Choose a Schema'),
    openLabel: t('Use as Schema'),
    filters: { JSON: ['json'], [t('All Files')]: ['*'] },
    ...(folder && { defaultUri: folder }),
  });
  const [uri] = picked ?? [];
  return uri && readFile(uri, reads);
}

/** Reads a schema file. If the file is open, its text in the editor is used, saved or not. */
async function readFile(uri: vscode.Uri, reads: Reads): Promise<FormatChoice> {
  if (!(await reads.ask([uri])).has(uri)) return undefined;
  const label = labelOf(uri);
  const open = findDocument(uri);
  if (open !== undefined) return toFormatChoice(open.getText(), label);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    // Checked before reading.
    if (size > MAX_SCHEMA_BYTES) return { refusal: describeSchemaProblem({ kind: 'too-large' }, label, '') };
    // In the encoding that the editor would use to open the file.
    const text = await vscode.workspace.decode(await vscode.workspace.fs.readFile(uri), { uri });
    // A symbolic link may lead to another file by now.
    return (await reads.allows(uri, 'text'))
      ? await toFormatChoice(text, label)
      : { refusal: t('{0} couldn’t be read and wasn’t sent.', label) };
  } catch (error) {
    const why = messageOf(error);
    return { refusal: t('Answer format: Couldn’t read {0}. {1}', label, why) };
  }
}

/** Asks for a schema in an input box, which shows errors. It removes line breaks, which JSON doesn't need. */
async function pasteSchema(): Promise<FormatChoice> {
  const check = await loadSchemaCheck();
  const label = t('the pasted schema');
  const text = await askForInput({
    title: t('Paste a Schema'),
    prompt: t(
      'Paste a JSON Schema with type “object”. To edit a longer schema, open it in an editor and select “From the Editor”.',
    ),
    validateInput: (typed) => {
      if (typed.trim() === '') return undefined;
      const read = toSchemaFormat(typed, label, check);
      return 'refusal' in read ? withoutLinks(read.refusal) : undefined;
    },
  });
  return text === undefined || text.trim() === '' ? undefined : toSchemaFormat(text, label, check);
}

const toFormatChoice = async (text: string, label: string) =>
  toSchemaFormat(text, label, await loadSchemaCheck());

function toSchemaFormat(
  written: string,
  label: string,
  check: SchemaCheck,
): { readonly format: AnswerFormat } | { readonly refusal: string } {
  const text = written.replace(/^\uFEFF/, '');
  // A schema without a title gets the name of its file. A pasted schema has no file.
  const name = label.endsWith('.json') ? label.slice(label.lastIndexOf('/') + 1) : '';
  const read = parseSchema(text, name, check);
  return read.ok ? { format: read.format } : { refusal: describeSchemaProblem(read.problem, label, text) };
}
