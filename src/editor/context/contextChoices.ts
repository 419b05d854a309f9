/** Suggestions for `@` in the composer: the selection, problems, changes, the terminal, files, folders, and symbols. */
import * as vscode from 'vscode';
import type { ContextChoice } from '../../panel/context.ts';
import { formatTokens } from '../base/formats.ts';
import type { LastEditor } from '../base/lastEditor.ts';
import type { Log } from '../base/log.ts';
import type { TerminalOutputs } from '../terminal/terminalOutputs.ts';
import { findProblems } from '../workspace/editorProblems.ts';
import { createProjectFiles } from '../workspace/projectFiles.ts';
import { linesOfRange } from '../workspace/selectedCode.ts';
import { labelOf } from '../workspace/textSources.ts';
import { filesInTabs, toPathChoice, toPaths } from './pathChoices.ts';
import { rankPaths } from './pathRanking.ts';
import { toSymbolIcon } from './symbolIcons.ts';

const t = vscode.l10n.t;

export interface ContextChoicesDeps {
  readonly lastEditor: LastEditor;
  readonly terminals: Pick<TerminalOutputs, 'describe'>;
  /** Whether the user removed the instructions of the project from a conversation. */
  isLeftOut(conversationId: string): boolean;
  readonly log: Pick<Log, 'warn'>;
}

export interface ContextChoices {
  /**
   * Creates a search for one webview. A new query cancels the previous one.
   *
   * @param shownId the id of the conversation that the webview shows
   */
  createSearch(shownId: () => string): ContextSearch;
}

export interface ContextSearch extends vscode.Disposable {
  /** @param onResults called with the results so far, possibly more than once, but not after the next query */
  search(letters: string, onResults: (choices: readonly ContextChoice[]) => void): void;
}

/** The delay between typing and searching, in milliseconds. */
const DELAY_MS = 60;
const MAX_PATHS = 30;
const MAX_SYMBOLS = 15;

export function createContextChoices({
  lastEditor,
  terminals,
  isLeftOut,
  log,
}: ContextChoicesDeps): ContextChoices {
  const files = createProjectFiles();

  async function findPaths(letters: string, token: vscode.CancellationToken) {
    const listed = await files.list(token);
    const more = await files.search(letters, token);
    const ranked = rankPaths(toPaths([...filesInTabs(), ...listed, ...more]), letters, MAX_PATHS);
    return ranked.map(toPathChoice);
  }

  async function answer(
    letters: string,
    shownId: string,
    token: vscode.CancellationToken,
    onResults: (choices: readonly ContextChoice[]) => void,
  ): Promise<void> {
    const keywords = findKeywords(letters, lastEditor.get(), terminals.describe(), isLeftOut(shownId));
    const paths = await orNone('files', findPaths(letters, token), token);
    if (token.isCancellationRequested) return;
    const known = sortChoices(letters, keywords, paths);
    const hasSymbols = letters.length >= 2;
    // Language servers can be slow, so the other results are shown first. Only after the symbols is it known that there are
    // no results.
    if (!hasSymbols || known.length > 0) onResults(known);
    if (!hasSymbols) return;
    const symbols = await orNone('symbols', findSymbols(letters), token);
    if (!token.isCancellationRequested && (symbols.length > 0 || known.length === 0))
      onResults([...known, ...symbols]);
  }

  /** The results of one search; none if it fails, so that the results of other searches are still shown. */
  const orNone = (what: string, found: Promise<readonly ContextChoice[]>, token: vscode.CancellationToken) =>
    found.catch((error: unknown): readonly ContextChoice[] => {
      // A canceled search may reject.
      if (token.isCancellationRequested) return [];
      log.warn(`the search for ${what} behind @ failed: ${String(error)}`);
      return [];
    });

  return {
    createSearch(shownId) {
      let running: vscode.CancellationTokenSource | undefined;
      let timer: NodeJS.Timeout | undefined;
      const stop = () => {
        clearTimeout(timer);
        running?.cancel();
        running?.dispose();
        running = undefined;
      };
      return {
        search(letters, onResults) {
          stop();
          const source = new vscode.CancellationTokenSource();
          running = source;
          timer = setTimeout(() => {
            // The webview waits for results of each query, even after an error.
            answer(letters, shownId(), source.token, onResults).catch((error: unknown) => {
              // A canceled search may reject.
              if (source.token.isCancellationRequested) return;
              log.warn(`the search behind @ failed: ${String(error)}`);
              onResults([]);
            });
          }, DELAY_MS);
        },
        dispose: stop,
      };
    },
  };
}

/** Keywords come first, then paths. Without letters, the selection and the open files come first. */
function sortChoices(
  letters: string,
  keywords: readonly ContextChoice[],
  paths: readonly ContextChoice[],
): readonly ContextChoice[] {
  if (letters !== '') return [...keywords, ...paths];
  const open = new Set(filesInTabs().map(String));
  const isOpen = ({ reference }: ContextChoice) => reference?.kind === 'file' && open.has(reference.uri);
  const isSelection = ({ reference }: ContextChoice) => reference?.kind === 'selection';
  return [
    ...keywords.filter(isSelection),
    ...paths.filter(isOpen),
    ...keywords.filter((keyword) => !isSelection(keyword)),
    ...paths.filter((path) => !isOpen(path)),
  ];
}

/** The keywords for the selection, problems, changes, the terminal, and instructions, with what they would attach. */
function findKeywords(
  letters: string,
  editor: vscode.TextEditor | undefined,
  terminal: string | undefined,
  withInstructions: boolean,
): readonly ContextChoice[] {
  const selected = editor?.selections.some(({ isEmpty }) => !isEmpty) === true;
  const problems = findProblems().length;
  const keywords: readonly ContextChoice[] = [
    ...(editor !== undefined && selected
      ? [
          {
            label: 'selection',
            description: toSelectionLabel(editor),
            icon: 'list-selection',
            reference: { kind: 'selection' as const },
          },
        ]
      : []),
    ...(problems === 0
      ? []
      : [
          {
            label: 'problems',
            description: t('{0} in the workspace', formatTokens(problems)),
            icon: 'warning',
            reference: { kind: 'problems' as const },
          },
        ]),
    {
      label: 'changes',
      description: t('staged and unstaged changes'),
      icon: 'diff',
      reference: { kind: 'changes' },
    },
    ...(terminal === undefined
      ? []
      : [
          {
            label: 'terminal',
            description: terminal,
            icon: 'terminal',
            reference: { kind: 'terminal' as const },
          },
        ]),
    ...(withInstructions
      ? [
          {
            label: 'instructions',
            description: t('project instructions; left out of this conversation'),
            icon: 'book',
            reference: { kind: 'instructions' as const },
          },
        ]
      : []),
  ];
  return keywords.filter(({ label }) => label.startsWith(letters.toLowerCase()));
}

function toSelectionLabel({ document, selection }: vscode.TextEditor): string {
  const { start, end } = linesOfRange(selection);
  return `${labelOf(document.uri)}:${start + 1}-${end + 1}`;
}

async function findSymbols(letters: string): Promise<readonly ContextChoice[]> {
  const found = await vscode.commands.executeCommand<readonly vscode.SymbolInformation[] | undefined>(
    'vscode.executeWorkspaceSymbolProvider',
    letters,
  );
  return (
    (found ?? [])
      // Some providers would only return the range later.
      .filter(
        ({ location: { uri, range } }) => range && vscode.workspace.getWorkspaceFolder(uri) !== undefined,
      )
      .slice(0, MAX_SYMBOLS)
      .map(({ name, kind, location: { uri, range } }) => ({
        label: name,
        description: labelOf(uri),
        icon: toSymbolIcon(kind),
        reference: {
          kind: 'symbol',
          uri: uri.toString(),
          name,
          startLine: range.start.line,
          endLine: range.end.line,
        },
      }))
  );
}
