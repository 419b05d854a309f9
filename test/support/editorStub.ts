/**
 * The part of the editor's API that the conversations, the message box, and the texts of failures use, for plain Node. Its
 * dialogs are not answered, and no setting has a value.
 */

export class EventEmitter<Event> {
  readonly #listeners = new Set<(event: Event) => unknown>();
  readonly event = (listener: (event: Event) => unknown) => {
    this.#listeners.add(listener);
    return new Disposable(() => this.#listeners.delete(listener));
  };
  fire(event: Event): void {
    for (const listener of [...this.#listeners]) listener(event);
  }
  dispose(): void {
    this.#listeners.clear();
  }
}

export class Disposable {
  readonly #end: () => unknown;
  constructor(end: () => unknown) {
    this.#end = end;
  }
  dispose(): void {
    this.#end();
  }
  static from(...all: readonly { dispose(): unknown }[]): Disposable {
    return new Disposable(() => {
      for (const one of all) one.dispose();
    });
  }
}

export class CancellationTokenSource {
  readonly #canceled = new EventEmitter<undefined>();
  readonly token = { isCancellationRequested: false, onCancellationRequested: this.#canceled.event };
  cancel(): void {
    this.token.isCancellationRequested = true;
    this.#canceled.fire(undefined);
  }
  dispose(): void {
    this.#canceled.dispose();
  }
}

/** The text is added unchanged, without escaping Markdown. */
export class MarkdownString {
  value: string;
  constructor(value = '') {
    this.value = value;
  }
  appendMarkdown(text: string): this {
    this.value += text;
    return this;
  }
  appendText(text: string): this {
    return this.appendMarkdown(text);
  }
  appendCodeblock(text: string): this {
    return this.appendMarkdown(text);
  }
}

const nothing = async () => undefined;
const never = () => new Disposable(() => undefined);

/** `bundle` has the translations, by the English texts, as in the files of the folder `l10n`; undefined if there are none. */
export const l10n: {
  bundle: Readonly<Record<string, string>> | undefined;
  t: (text: string, ...values: unknown[]) => string;
} = {
  bundle: undefined,
  t: (text, ...values) =>
    values.reduce<string>(
      (filled, value, index) => filled.replace(`{${index}}`, () => String(value)),
      l10n.bundle?.[text] ?? text,
    ),
};
/** The active terminal changes. */
export const terminals = new EventEmitter<undefined>();
export const tabs = new EventEmitter<unknown>();
/** The active tab. A test sets its input. */
export const activeTab: { input: unknown } = { input: undefined };
/** The text of a document changes. */
export const documentChanges = new EventEmitter<unknown>();
export const closedDocuments = new EventEmitter<unknown>();
export const selections = new EventEmitter<{ readonly kind: number | undefined }>();
export const window = {
  visibleTextEditors: [] as object[],
  onDidChangeActiveTerminal: terminals.event,
  tabGroups: { onDidChangeTabs: tabs.event, activeTabGroup: { activeTab }, all: [{ activeTab }] },
  onDidStartTerminalShellExecution: never,
  onDidChangeWindowState: never,
  onDidChangeActiveTextEditor: never,
  onDidChangeVisibleTextEditors: never,
  onDidChangeTextEditorSelection: selections.event,
  showInformationMessage: nothing,
  showWarningMessage: nothing,
  showErrorMessage: nothing,
  showQuickPick: nothing,
  showInputBox: nothing,
  registerWebviewPanelSerializer: never,
  /** Runs the task, which can't be canceled. */
  withProgress: (_: unknown, task: (...about: never[]) => unknown): unknown =>
    Reflect.apply(task, undefined, [{ report: () => undefined }, { onCancellationRequested: never }]),
};
/** The open documents. A test adds its own. */
export const textDocuments: object[] = [];
export const workspace = {
  textDocuments,
  notebookDocuments: [],
  openTextDocument: async (): Promise<object> =>
    textDocuments[0] ?? Promise.reject(new Error('no such file')),
  asRelativePath: (uri: unknown) => String(uri),
  getWorkspaceFolder: () => undefined,
  registerTextDocumentContentProvider: never,
  onDidOpenTextDocument: never,
  onDidChangeTextDocument: documentChanges.event,
  onDidCloseTextDocument: closedDocuments.event,
  onDidSaveTextDocument: never,
  onDidOpenNotebookDocument: never,
  onDidChangeNotebookDocument: never,
  onDidCloseNotebookDocument: never,
  onWillRenameFiles: never,
  onDidRenameFiles: never,
  onDidDeleteFiles: never,
  onDidGrantWorkspaceTrust: never,
  onDidChangeWorkspaceFolders: never,
  onDidChangeConfiguration: never,
  getConfiguration: () => ({
    get: (_: string, otherwise?: unknown) => otherwise,
    inspect: () => undefined,
  }),
};
/** The commands that were registered last, by their IDs. */
export const registered = new Map<string, (...values: never[]) => unknown>();
export const commands = {
  executeCommand: nothing,
  registerCommand(id: string, run: (...values: never[]) => unknown) {
    registered.set(id, run);
    return never();
  },
};
export const env = { language: 'en', clipboard: { writeText: nothing }, openExternal: nothing };

export class FileSystemError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(code);
    this.code = code;
  }
}

export const LanguageModelChatToolMode = { Auto: 1, Required: 2 };

/** Enumerations whose values don't matter here. */
const values = new Proxy({}, { get: (_, name) => name });
export const SymbolKind = values;
export const ConfigurationTarget = values;
export const ProgressLocation = values;
export const ViewColumn = values;
export const QuickPickItemKind = values;
export const QuickInputButtons = values;
export const InputBoxValidationSeverity = values;
export const TreeItemCollapsibleState = values;
export const UIKind = values;
export const TextDocumentChangeReason = values;
export const EndOfLine = { LF: 1, CRLF: 2 };
export const FileType = { Unknown: 0, File: 1, Directory: 2, SymbolicLink: 64 };
export const FilePermission = { Readonly: 1, Locked: 2 };

/** The models of the editor. A test adds what it needs. */
export const lm = {};

export class Range {
  readonly start: { readonly line: number };
  readonly end: { readonly line: number };
  isEqual({ start, end }: Range): boolean {
    return start.line === this.start.line && end.line === this.end.line;
  }
  constructor(...of: [number, number, number, number] | [{ line: number }, { line: number }]) {
    this.start = of.length === 2 ? of[0] : { line: of[0] };
    this.end = of.length === 2 ? of[1] : { line: of[2] };
  }
}
export class Selection extends Range {}

/** An edit that counts the files that it creates or changes, and has its changes of documents in order. */
export class WorkspaceEdit {
  size = 0;
  readonly changes: { readonly uri: string; readonly range: Range; readonly newText: string }[] = [];
  createFile(): void {
    this.size++;
  }
  replace(uri: unknown, range: Range, newText: string): void {
    this.size++;
    this.changes.push({ uri: String(uri), range, newText });
  }
  set(uri: unknown, edits: readonly { readonly range: Range; readonly newText: string }[]): void {
    this.size++;
    this.changes.push(...edits.map((edit) => ({ uri: String(uri), ...edit })));
  }
}
export const TextEdit = { replace: (range: Range, newText: string) => ({ range, newText }) };

export class Uri {
  readonly path: string;
  constructor(path: string) {
    this.path = path;
  }
  toString(): string {
    return this.path;
  }
  static parse(text: string): Uri {
    return new Uri(text);
  }
  static joinPath({ path }: { readonly path: string }, ...more: readonly string[]): Uri {
    return new Uri([path, ...more].join('/'));
  }
  static from(parts: { readonly path: string }): Uri {
    return Object.assign(new Uri(parts.path), parts);
  }
}

/** A pattern for the files of a folder. */
export class RelativePattern {
  readonly base: object;
  readonly pattern: string;
  constructor(base: object, pattern: string) {
    this.base = base;
    this.pattern = pattern;
  }
}

/** Lines of a file that are attached to a request. */
export class Location {}

/** The extensions of the editor. A test adds those that it needs. */
export const ExtensionKind = { UI: 1, Workspace: 2 };
export const extensions = { getExtension: (): unknown => undefined };

export class Position {
  readonly line: number;
  constructor(line: number, _character: number) {
    this.line = line;
  }
}

/** The threads of all controllers that weren't disposed of. Each has a `log` of what was set on it, in order. */
export const commentThreads: { log: string[]; [property: string]: unknown }[] = [];
export const comments = {
  createCommentController: () => ({
    createCommentThread(uri: unknown, range: unknown, first: readonly unknown[]) {
      const log: string[] = [];
      const thread = {
        log,
        uri,
        range,
        comments: first,
        canReply: true,
        dispose: () => commentThreads.splice(commentThreads.indexOf(watched), 1),
      };
      const watched: (typeof commentThreads)[number] = new Proxy(thread, {
        set(target, property, value) {
          log.push(String(property));
          return Reflect.set(target, property, value);
        },
      });
      commentThreads.push(watched);
      return watched;
    },
    dispose: () => undefined,
  }),
};
export const languages = { registerCodeActionsProvider: never };
export const CodeActionKind = values;
export const DiagnosticSeverity = values;
export const CommentThreadCollapsibleState = values;
export const CommentMode = values;
export const StatusBarAlignment = values;
export const TextEditorRevealType = values;
export const FileChangeType = values;

export class Hover {
  readonly contents: unknown;
  constructor(contents: unknown) {
    this.contents = contents;
  }
}
export class CodeLens {
  readonly range: Range;
  readonly command: unknown;
  constructor(range: Range, command: unknown) {
    this.range = range;
    this.command = command;
  }
}
export class DiagnosticRelatedInformation {
  readonly location: unknown;
  constructor(location: unknown) {
    this.location = location;
  }
}

/** Functions without effect, whose calls tests don't check. */
export class Diagnostic {}
export class ThemeIcon {
  readonly id: string;
  constructor(id: string) {
    this.id = id;
  }
}
export class ThemeColor {}
/** A class whose other fields are set by its users. */
export class TreeItem {
  readonly label: unknown;
  constructor(label: unknown) {
    this.label = label;
  }
}
export class TabInputText {}
export class TabInputCustom {}
export class TabInputTextDiff {}
export class TabInputNotebook {
  readonly uri: object;
  constructor(uri: object) {
    this.uri = uri;
  }
}
export class LanguageModelTextPart {
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
}
export class LanguageModelPromptTsxPart {}

export class LanguageModelToolResult {
  readonly content: readonly unknown[];
  constructor(content: readonly unknown[]) {
    this.content = content;
  }
}

/** The history of a chat of the editor. A test sets the fields that it has. */
export class ChatRequestTurn {}
export class ChatResponseTurn {}
export class ChatResponseMarkdownPart {}
