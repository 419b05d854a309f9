/** Add Image to Chat (`k3.attachImage`): the files selected in the Explorer, or files that the user picks. */
import * as vscode from 'vscode';
import type { Conversations } from '../conversations/conversationList.ts';
import { toUris } from './attachCommands.ts';
import type { ImageIntake } from './imageIntake.ts';

export interface ImageCommandsDeps {
  readonly conversations: Pick<Conversations, 'front'>;
  readonly images: Pick<ImageIntake, 'pick' | 'attachFiles'>;
}

export function registerImageCommands({ conversations, images }: ImageCommandsDeps): vscode.Disposable {
  return vscode.commands.registerCommand(
    'k3.attachImage',
    async (clicked: unknown, selected: unknown): Promise<void> => {
      const files = toUris(clicked, selected);
      const { id } = conversations.front();
      await vscode.commands.executeCommand('k3.focusChat', id);
      await (files === undefined ? images.pick(id) : images.attachFiles(id, files));
    },
  );
}
