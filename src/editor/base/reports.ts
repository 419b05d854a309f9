/** Read-only Markdown pages of ours, shown as a preview: results of a check, diagnostics. */
import * as vscode from 'vscode';

const SCHEME = 'k3-report';

export interface Reports extends vscode.Disposable {
  /** Opens a page beside what is there. The same title replaces the page of that title. */
  show(title: string, markdown: string): Promise<void>;
}

export function registerReports(): Reports {
  const pages = new Map<string, string>();
  const changed = new vscode.EventEmitter<vscode.Uri>();
  const registration = vscode.workspace.registerTextDocumentContentProvider(SCHEME, {
    onDidChange: changed.event,
    provideTextDocumentContent: (uri) => pages.get(uri.path) ?? '',
  });
  return {
    async show(title, markdown) {
      const uri = vscode.Uri.from({ scheme: SCHEME, path: `/${title.replaceAll('/', '-')}.md` });
      pages.set(uri.path, markdown);
      changed.fire(uri);
      await vscode.commands.executeCommand('markdown.showPreview', uri);
    },
    dispose() {
      registration.dispose();
      changed.dispose();
    },
  };
}
