/** Choose Answer Format (`k3.pickAnswerFormat`): text, JSON, or JSON by a schema of a file, an editor or the clipboard. */
import * as vscode from 'vscode';
import { type AnswerFormat, LARGEST_SCHEMA, parseSchema, type SchemaCheck } from '../../chat/answerFormat.ts';
import { withoutLinks } from '../base/notifications.ts';
import type { Composers } from '../composer/composers.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { createAllowedReads } from '../workspace/allowedReads.ts';
import { labelOf } from '../workspace/textSources.ts';
import { loadSchemaCheck } from './structuredAnswers.ts';
import { describeSchemaProblem, toFormatLabel } from './structuredWords.ts';

const t = vscode.l10n.t;

export interface AnswerFormatsDeps {
  readonly conversations: Pick<Conversations, 'current' | 'get'>;
  readonly composers: Pick<Composers, 'of' | 'changed'>;
}

/** A format, a refusal in words, or nothing when the reader left. */
type Chosen = { readonly format: AnswerFormat | undefined } | { readonly refusal: string } | undefined;

/** Registers the command. What is refused is told in the composer, whose draft and format stay. */
export function registerAnswerFormats({ conversations, composers }: AnswerFormatsDeps): vscode.Disposable {
  const reads = createAllowedReads();
  const mayRead = async (uri: vscode.Uri) => (await reads.ask([uri])).has(uri);
  return vscode.commands.registerCommand('k3.pickAnswerFormat', async (given: unknown) => {
    const id = typeof given === 'string' && conversations.get(given) ? given : conversations.current().id;
    const composer = composers.of(id);
    const chosen = await pickFormat(composer.format, mayRead);
    if (chosen === undefined) return;
    if ('format' in chosen) composer.format = chosen.format;
    composer.refusal = 'refusal' in chosen ? chosen.refusal : undefined;
    composers.changed(id);
    if (given === undefined) await vscode.commands.executeCommand('k3.focusChat');
  });
}

interface Choice extends vscode.QuickPickItem {
  readonly choose?: () => Promise<Chosen>;
}

async function pickFormat(
  now: AnswerFormat | undefined,
  mayRead: (uri: vscode.Uri) => Promise<boolean>,
): Promise<Chosen> {
  const title = t('Answer format');
  const picked = await vscode.window.showQuickPick(toChoices(now, mayRead), { title });
  return picked?.choose?.();
}

async function toChoices(
  now: AnswerFormat | undefined,
  mayRead: (uri: vscode.Uri) => Promise<boolean>,
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
      ...(now?.kind === 'json' && check),
      choose: async () => ({ format: { kind: 'json' } }),
    },
    ...(now?.kind === 'schema'
      ? [{ label: plain(toFormatLabel(now)), description: t('the current schema'), ...check }]
      : []),
    { label: t('JSON with a schema'), kind: vscode.QuickPickItemKind.Separator },
    ...schemaInEditor(),
    { label: t('From a File…'), choose: () => pickFile(mayRead) },
    { label: t('Paste a Schema…'), choose: pasteSchema },
    ...(await schemaFiles(mayRead)),
  ];
}

/** A name that others gave, for a list that draws icons. */
const plain = (name: string) => name.replaceAll('$(', '$ (');

/** The document before the reader, saved or not: where a schema is pasted and edited. */
function schemaInEditor(): readonly Choice[] {
  const document = vscode.window.activeTextEditor?.document;
  if (document === undefined || !['json', 'jsonc', 'plaintext'].includes(document.languageId)) return [];
  if (document.uri.scheme !== 'untitled' && document.languageId === 'plaintext') return [];
  const label = labelOf(document.uri);
  return [
    {
      label: t('From the Editor'),
      description: plain(label),
      choose: () => toChosen(document.getText(), label),
    },
  ];
}

/** Files that are called schemas, to be found without a dialog. */
async function schemaFiles(mayRead: (uri: vscode.Uri) => Promise<boolean>): Promise<readonly Choice[]> {
  const found = await vscode.workspace.findFiles('**/*schema.json', '**/{node_modules,.git}/**', MOST_FILES);
  return found
    .map((uri) => ({ uri, label: labelOf(uri) }))
    .toSorted((a, b) => a.label.localeCompare(b.label))
    .map(({ uri, label }) => ({ label: plain(label), choose: () => readFile(uri, mayRead) }));
}

const MOST_FILES = 30;

async function pickFile(mayRead: (uri: vscode.Uri) => Promise<boolean>): Promise<Chosen> {
  const folder = vscode.workspace.workspaceFolders?.[0]?.uri;
  const picked = await vscode.window.showOpenDialog({
    title: t('Choose a Schema'),
    openLabel: t('Use as Schema'),
    filters: { JSON: ['json'], [t('All Files')]: ['*'] },
    ...(folder && { defaultUri: folder }),
  });
  const [uri] = picked ?? [];
  return uri && readFile(uri, mayRead);
}

/** What is open and not saved yet is what the reader sees, so it is what is taken. */
async function readFile(uri: vscode.Uri, mayRead: (uri: vscode.Uri) => Promise<boolean>): Promise<Chosen> {
  if (!(await mayRead(uri))) return undefined;
  const label = labelOf(uri);
  const open = vscode.workspace.textDocuments.find((one) => one.uri.toString() === uri.toString());
  if (open !== undefined) return toChosen(open.getText(), label);
  try {
    const { size } = await vscode.workspace.fs.stat(uri);
    // One that is too large is not even read.
    if (size > LARGEST_SCHEMA) return { refusal: describeSchemaProblem({ kind: 'too-large' }, label, '') };
    return await toChosen(Buffer.from(await vscode.workspace.fs.readFile(uri)).toString('utf8'), label);
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { refusal: t('Answer format: Couldn’t read {0}. {1}', label, why) };
  }
}

/** A line takes a whole schema: ends of lines mean nothing in JSON. What is wrong is told while it stands there. */
async function pasteSchema(): Promise<Chosen> {
  const check = await loadSchemaCheck();
  const label = t('the pasted schema');
  const text = await vscode.window.showInputBox({
    title: t('Paste a Schema'),
    prompt: t(
      'Paste a JSON Schema with type “object”. To edit a longer schema, open it in an editor and choose “From the Editor”.',
    ),
    ignoreFocusOut: true,
    validateInput: (typed) => {
      if (typed.trim() === '') return undefined;
      const read = chooseBy(typed, label, check);
      return 'refusal' in read ? withoutLinks(read.refusal) : undefined;
    },
  });
  return text === undefined || text.trim() === '' ? undefined : chooseBy(text, label, check);
}

const toChosen = async (text: string, label: string) => chooseBy(text, label, await loadSchemaCheck());

function chooseBy(
  written: string,
  label: string,
  check: SchemaCheck,
): { readonly format: AnswerFormat } | { readonly refusal: string } {
  const text = written.replace(/^\uFEFF/, '');
  // Where it has no title, the file's name is the schema's; what is pasted has none.
  const name = label.endsWith('.json') ? label.slice(label.lastIndexOf('/') + 1) : '';
  const read = parseSchema(text, name, check);
  return read.ok ? { format: read.format } : { refusal: describeSchemaProblem(read.problem, label, text) };
}
