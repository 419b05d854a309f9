/**
 * Hovers over the lines of hunks in cells of notebooks, with the new lines, and what can be done: the editor shows no comment threads of
 * extensions there.
 */
import * as vscode from 'vscode';
import type { AnchoredHunk } from '../../review/hunks/anchors.ts';
import { isUndecidedHunk } from '../../review/proposals/proposal.ts';
import { isForScreenReader, toHunkComment } from './hunkComments.ts';
import { linesOfHunk } from './hunkLines.ts';
import { hunkCommands } from './proposalLenses.ts';
import type { Proposals } from './proposalList.ts';

export function registerHunkHovers({
  proposals,
}: {
  readonly proposals: Pick<Proposals, 'ofFile'>;
}): vscode.Disposable {
  return vscode.languages.registerHoverProvider(
    { scheme: 'vscode-notebook-cell' },
    {
      provideHover(document, { line }) {
        const isOn = (one: AnchoredHunk) => {
          const { start, end } = linesOfHunk(document, one);
          return isUndecidedHunk(one) && start <= line && line <= end;
        };
        const texts = proposals
          .ofFile(document.uri.toString())
          .flatMap(({ proposal, file: { uri, hunks } }) =>
            hunks.filter(isOn).flatMap((one) => {
              const target = { proposalId: proposal.id, uri, hunkId: one.hunk.id };
              return [toText(one), toLinks(hunkCommands(one, target))];
            }),
          );
        return texts.length === 0 ? undefined : new vscode.Hover(texts);
      },
    },
  );
}

function toText(one: AnchoredHunk): vscode.MarkdownString {
  const { body } = toHunkComment(one, isForScreenReader());
  return typeof body === 'string' ? new vscode.MarkdownString().appendCodeblock(body, 'diff') : body;
}

/** The hover covers the CodeLenses. By themselves: a text of others beside them could have links that run these commands. */
function toLinks(commands: readonly vscode.Command[]): vscode.MarkdownString {
  const links = commands.map(({ title, command, arguments: args }) => {
    // The editor decodes it twice, also the URI of the cell in it.
    const encoded = encodeURIComponent(encodeURIComponent(JSON.stringify(args)));
    return `[${title}](command:${command}?${encoded})`;
  });
  const text = new vscode.MarkdownString(links.join(' | '), true);
  text.isTrusted = { enabledCommands: commands.map(({ command }) => command) };
  return text;
}
