/** What is left of the text in the message box after it was sent, in the box and in the extension host. */

/** The draft without the sent text. Text that was added below it meanwhile stays. A draft that was changed in another way stays as it is. */
export function withoutSent(draft: string, sent: string): string {
  if (draft === sent) return '';
  return sent !== '' && draft.startsWith(`${sent}\n`) ? draft.slice(sent.length + 1) : draft;
}
