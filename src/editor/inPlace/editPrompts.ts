/** Suggests prompt files for `/` in the box of an edit, which is an editor with the scheme `comment`. */
import * as vscode from 'vscode';
import type { Prompts } from '../composer/prompts.ts';
import { isBoxOfEdit } from './editDrafts.ts';
import type { Edits } from './edits.ts';

/** The name of a prompt file must be at the start of the text. */
const NAME = /^\/\S*$/;

export function registerEditPrompts(
  edits: Pick<Edits, 'list' | 'threads'>,
  prompts: Pick<Prompts, 'files'>,
): vscode.Disposable {
  const isBox = (uri: vscode.Uri) => edits.list().some((edit) => isBoxOfEdit(uri, edits.threads.of(edit)));
  return vscode.languages.registerCompletionItemProvider(
    { scheme: 'comment' },
    {
      async provideCompletionItems({ uri, lineAt }, { line, character }) {
        const typed = line === 0 ? lineAt(0).text.slice(0, character) : '';
        if (!NAME.test(typed) || !isBox(uri)) return [];
        const range = new vscode.Range(0, 0, 0, character);
        return (await prompts.files()).map((prompt) => toItem(prompt, range));
      },
    },
    '/',
  );
}

/** The completion item for a prompt file. A space is inserted behind the name, for words of the user. */
function toItem(
  { name, description }: Awaited<ReturnType<Prompts['files']>>[number],
  range: vscode.Range,
): vscode.CompletionItem {
  const item = new vscode.CompletionItem({ label: `/${name}`, description }, vscode.CompletionItemKind.File);
  item.insertText = `/${name} `;
  item.filterText = `/${name}`;
  item.range = range;
  return item;
}
