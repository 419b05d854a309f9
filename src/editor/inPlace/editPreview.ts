/** What Edit Here would ask about the active editor. */
import * as vscode from 'vscode';
import type { LastEditor } from '../base/lastEditor.ts';
import { titleOf } from '../code/codeQuestions.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import { nextConversation, type Preview } from '../conversations/previews.ts';
import { findCodeHere, meets, showRunning } from './editCommands.ts';
import type { Edits } from './edits.ts';

const t = vscode.l10n.t;

export interface EditPreviewDeps {
  readonly edits: Pick<Edits, 'ofFile' | 'isRunning' | 'conversationOf' | 'questionOf'>;
  readonly lastEditor: Pick<LastEditor, 'get'>;
  readonly conversations: Pick<Conversations, 'front' | 'get' | 'isRunning' | 'holder'>;
}

export const toEditPreview = ({ edits, lastEditor, conversations }: EditPreviewDeps): Preview => ({
  title: titleOf('edit'),
  async make() {
    const code = await findCodeHere(lastEditor.get());
    if (code === undefined) return undefined;
    const { document, startLine, endLine, selected = false } = code;
    const known = edits.ofFile(document.uri);
    if (known !== undefined && edits.isRunning(known)) return void showRunning(known);
    const goesOn = known !== undefined && known.steps.length > 0 && meets(known, code) ? known : undefined;
    const edit = goesOn ?? { uri: document.uri, lines: { startLine, endLine }, selected, steps: [] };
    // The text in the box of a thread can't be read before it is sent.
    const words = await vscode.window.showInputBox({
      title: titleOf('edit'),
      prompt: t('{0}, lines {1}–{2}', code.path, edit.lines.startLine + 1, edit.lines.endLine + 1),
      ignoreFocusOut: true,
    });
    if (words === undefined || words.trim() === '') return undefined;
    const question = await edits.questionOf(edit, { task: 'edit', words: words.trim(), diagnostics: [] });
    const id = goesOn && edits.conversationOf(goesOn);
    const conversation = id === undefined ? undefined : conversations.get(id);
    return { conversation: conversation ?? nextConversation(conversations), question };
  },
});
