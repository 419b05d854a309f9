/**
 * Finds CodeLenses and code actions as the editor would show them. The editor keeps the commands of both for a tenth
 * of a second only (`CommandsConverter` in its extension host), which can pass before they are here on a slow machine.
 * So these ask again until the command is there.
 */
import assert from 'node:assert/strict';
import * as vscode from 'vscode';
import { eventually } from '../support/eventually.ts';

/** The most CodeLenses that are resolved. */
const MAX_LENSES = 100;

/** The first CodeLens of a document with this title, or the one with this index. */
export async function findCodeLens(uri: vscode.Uri, title: string, at = 0): Promise<vscode.CodeLens> {
  return eventually(async () => {
    const lenses = (await lensesOf(uri)).filter(({ command }) => command?.title === title);
    return lenses[at] ?? assert.fail(`no CodeLens “${title}”`);
  });
}

const lensesOf = (uri: vscode.Uri) =>
  vscode.commands.executeCommand<readonly vscode.CodeLens[]>(
    'vscode.executeCodeLensProvider',
    uri,
    MAX_LENSES,
  );

/**
 * The titles of all CodeLenses. The editor releases their commands 100 ms after it has given them: where the extension host was busy for
 * longer, they come without.
 */
export const lensTitles = (uri: vscode.Uri): Promise<readonly string[]> =>
  eventually(async () =>
    (await lensesOf(uri)).map(
      ({ command }) => command?.title ?? assert.fail('a CodeLens without its command'),
    ),
  );

/** The command of the first code action of a range with this title. */
export async function findCodeAction(
  uri: vscode.Uri,
  range: vscode.Range,
  title: string,
): Promise<vscode.Command> {
  return eventually(async () => {
    const actions: readonly vscode.CodeAction[] = await vscode.commands.executeCommand(
      'vscode.executeCodeActionProvider',
      uri,
      range,
      // The Markdown actions of the editor have other kinds.
      vscode.CodeActionKind.QuickFix.value,
    );
    const action = actions.find((one) => one.title === title) ?? assert.fail(`no code action “${title}”`);
    return action.command ?? assert.fail(`the code action “${title}” has no command`);
  });
}

export async function runCommand({ command, arguments: args = [] }: vscode.Command): Promise<void> {
  await vscode.commands.executeCommand(command, ...args);
}
