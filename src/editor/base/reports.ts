/** Read-only Markdown pages, shown as a preview: what Check Connection and Probe Route have found, and the next request. */
import * as vscode from 'vscode';

const SCHEME = 'k3-report';

export interface Reports extends vscode.Disposable {
  /** Opens a page. A page with the same title is replaced. */
  show(title: string, markdown: string): Promise<void>;
}

export function registerReports(): Reports {
  const pages = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    // The editor opens the preview of a page again with its window.
    provideTextDocumentContent: (uri) =>
      pages.get(uri.path) ??
      vscode.l10n.t('This page is not kept when the window is reloaded. Run the command again.'),
  });
  return {
    async show(title, markdown) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll('/', '-')}.md` });
      pages.set(uri.path, markdown);
      changed.fire(uri);
      // The editor closes a document after some minutes that only its preview shows, which is drawn again when it is opened or changes.
      await vscode.workspace.openTextDocument(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
