/** Read-only Markdown pages, shown as a preview: the results of Check Connection and Probe Route, and the next request. */
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
    // After a reload, the editor opens the preview again, but the page is gone.
    provideTextDocumentContent: (uri) =>
      pages.get(uri.path) ??
      vscode.l10n.t('This page is not kept when the window is reloaded. Run the command again.'),
  });
  return {
    async show(title, markdown) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll('/', '-')}.md` });
      pages.set(uri.path, markdown);
      changed.fire(uri);
      // If only its preview shows a document, the editor closes the document after some minutes. The preview renders the new text only
      // if the document is open.
      await vscode.workspace.openTextDocument(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
