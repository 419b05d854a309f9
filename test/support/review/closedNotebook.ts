/** A notebook whose cells the editor numbers from 0 when it opens the notebook, as it does when the document of a cell is opened. */
import { EventEmitter, FileType, textDocuments, Uri, type WorkspaceEdit, workspace } from '../editorStub.ts';

type Stubbed = Parameters<EventEmitter<unknown>['fire']>[0];

/** The URI of a cell of the notebook. */
export const cellUri = (number: number): string => `vscode-notebook-cell:/ws/a.ipynb#W${number}sZmlsZQ%3D%3D`;

/** A document of a cell. Its positions have an offset as the line. */
function cellOf(number: number, text: string) {
  return {
    ...{ uri: Uri.parse(cellUri(number)), eol: 1, isClosed: false, isDirty: false, version: 1, text },
    lineCount: 2,
    getText() {
      return this.text;
    },
    positionAt: (offset: number) => ({ line: offset }),
    lineAt: () => ({ rangeIncludingLineBreak: { with: () => ({}) } }),
  };
}

export interface ClosedNotebook {
  /** Opens the notebook with these cells. */
  open(...cells: readonly (readonly [number: number, text: string])[]): void;
  /** Closes the notebook, with its texts on the disk. */
  close(): void;
  /** Shows a cell, as `showTextDocument` does. */
  show(uri: Uri): Promise<object>;
  /** The texts of its cells while it is open. */
  texts(): readonly string[];
}

/** Creates the notebook, and replaces the functions of the stub that open and change documents. They must be restored afterwards. */
export function createClosedNotebook(): ClosedNotebook {
  const [opened, closed, changed] = [1, 2, 3].map(() => new EventEmitter<Stubbed>());
  const { parse } = Uri;
  const parts = (address: string) => ({
    ...{ scheme: address.split(':')[0], fragment: address.split('#')[1] ?? '', fsPath: '/ws/a.ipynb' },
  });
  let saved: readonly string[] = [];
  let cells: ReturnType<typeof cellOf>[] = [];
  const notebook = () => workspace.notebookDocuments[0];

  function show(...shown: readonly (readonly [number: number, text: string])[]): void {
    cells = shown.map(([number, text]) => cellOf(number, text));
    const getCells = () => cells.map((document) => ({ document }));
    Object.assign(workspace, { notebookDocuments: [{ uri: Uri.parse('file:///ws/a.ipynb'), getCells }] });
    textDocuments.push(...cells);
    for (const cell of cells) opened?.fire(cell);
  }

  function change({ uri, range, newText }: WorkspaceEdit['changes'][number]): void {
    const cell = cells.find((one) => String(one.uri) === uri);
    if (cell === undefined) throw new Error(`no cell is ${uri}`);
    const [rangeOffset, end] = [range.start.line, range.end.line];
    cell.text = cell.text.slice(0, rangeOffset) + newText + cell.text.slice(end);
    const contentChanges = [{ rangeOffset, rangeLength: end - rangeOffset, text: newText }];
    changed?.fire({ document: cell, contentChanges });
  }

  async function openTextDocument(uri: Uri) {
    const isCell = String(uri).startsWith('vscode-notebook-cell:');
    if (isCell && notebook() === undefined) show(...saved.map((text, at) => [at, text] as const));
    const found = cells.find((one) => String(one.uri) === String(uri));
    return found ?? Promise.reject(new Error('no such cell'));
  }

  Object.assign(Uri, { parse: (address: string) => Object.assign(parse(address), parts(address)) });
  Object.assign(Uri, { file: (path: string) => Uri.parse(`file://${path}`) });
  Object.assign(Uri.prototype, {
    with(this: Uri) {
      return this;
    },
  });
  Object.assign(workspace, {
    onDidOpenTextDocument: opened?.event,
    onDidCloseNotebookDocument: closed?.event,
    onDidChangeTextDocument: changed?.event,
    workspaceFolders: [{ name: 'ws', uri: Uri.parse('file:///') }],
    fs: {
      isWritableFileSystem: (scheme: string) => scheme === 'file',
      stat: async () => ({ type: FileType.File }),
    },
    openTextDocument,
    async applyEdit({ changes }: WorkspaceEdit) {
      // From the last one, so that no change moves the places of the others.
      changes.toReversed().forEach(change);
      return true;
    },
  });
  return {
    open: show,
    close() {
      const open = notebook();
      saved = cells.map(({ text }) => text);
      for (const cell of cells) cell.isClosed = true;
      textDocuments.splice(0);
      Object.assign(workspace, { notebookDocuments: [] });
      closed?.fire(open);
    },
    show: async (uri) => ({
      ...{ document: await openTextDocument(uri), selection: undefined },
      revealRange: () => undefined,
    }),
    texts: () => cells.map(({ text }) => text),
  };
}
