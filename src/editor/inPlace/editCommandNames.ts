/** The names of the commands of edits in the code, which are registered before their code is loaded. */

/** Asks a question again that was not sent: of the edit with this ID, by its index. */
export const ASK_EDIT_AGAIN = '_k3.askEditAgain';

export const EDIT_COMMANDS = [
  'k3.editHere',
  'k3.resolveConflict',
  'k3.sendEdit',
  ASK_EDIT_AGAIN,
  'k3.stopEdit',
  'k3.leaveOutEditInstructions',
  'k3.includeEditInstructions',
  'k3.closeEdit',
  'k3.openEditInChat',
] as const;

export type EditCommand = (typeof EDIT_COMMANDS)[number];
