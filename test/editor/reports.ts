/** Reads the reports that commands show. */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { until } from './scripted.ts';

export const reportUri = (title: string): vscode.Uri =>
  vscode.Uri.from({ scheme: 'k3-report', path: `/${title}.md` });

/**
 * The text of a report, once it is the one that is meant: that of an earlier one is replaced a moment later. Its document is
 * looked for each time, because the editor may close it meanwhile, and one that is closed keeps its old text.
 */
export async function reportText(title: string, isMeant: (text: string) => boolean): Promise<string> {
  let text = '';
  return until(async () => {
    text = (await vscode.workspace.openTextDocument(reportUri(title))).getText();
    return text !== '' && isMeant(text) && text;
  }).catch(() => assert.fail(`“${title}” has another text:\n${text}`));
}

/** The request that Show Next Request and Show Request of Command show: the page, and its JSON in one line. */
export async function shownRequest(
  isMeant: (json: string) => boolean,
): Promise<{ readonly page: string; readonly body: string }> {
  const page = await reportText('Next Request', (text) => isMeant(jsonIn(text) ?? ''));
  return { page, body: JSON.stringify(JSON.parse(jsonIn(page) ?? '')) };
}

const jsonIn = (page: string): string | undefined => /\n(`{3,})json\n(.*)\n\1\n/s.exec(page)?.[2];
