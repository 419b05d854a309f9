/** Goes to the note of a footnote, which is in the same text. */
export function followFootnote(reference: HTMLElement): void {
  const text = reference.closest('[data-part]');
  const notes = [...(text?.querySelectorAll<HTMLElement>('.footnote') ?? [])];
  const note = notes.find((one) => one.dataset['note'] === reference.dataset['footnote']);
  note?.scrollIntoView({ block: 'nearest' });
  note?.focus({ preventScroll: true });
}
