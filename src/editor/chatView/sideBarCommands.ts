/**
 * The commands of the buttons in the title of the side bar. They act on the conversation of the side bar, even while a chat
 * in a tab is in front. The commands that they run would act on the chat in front.
 */
import * as vscode from 'vscode';
import type { Conversations } from '../conversations/conversationList.ts';

export function registerSideBarCommands(conversations: Pick<Conversations, 'current'>): vscode.Disposable {
  const { registerCommand } = vscode.commands;
  const here = (command: string) => () => vscode.commands.executeCommand(command, conversations.current().id);
  return vscode.Disposable.from(
    registerCommand('k3.sideBar.newConversation', here('k3.newConversation')),
    registerCommand('k3.sideBar.openInEditor', here('k3.openInEditor')),
    registerCommand('k3.sideBar.stop', here('k3.stop')),
    registerCommand('k3.sideBar.exportConversation', here('k3.exportConversation')),
    registerCommand('k3.sideBar.showRequest', here('k3.showRequest')),
  );
}
