/** The names of the commands of edits in the code, which are registered before their code is loaded. */

export const EDIT_COMMANDS = [
  'k3.editHere',
  'k3.resolveConflict',
  'k3.sendEdit',
  'k3.askEditAgain',
  'k3.stopEdit',
  'k3.leaveOutEditInstructions',
  'k3.includeEditInstructions',
  'k3.closeEdit',
  'k3.openEditInChat',
] as const;

export type EditCommand = (typeof EDIT_COMMANDS)[number];
