/** Goes to the note of a footnote, which is in the same text: each step of the reasoning has its own. */
export function followFootnote(reference: HTMLElement): void {
  const text = reference.closest('.step, [data-part]');
  const notes = [...(text?.querySelectorAll<HTMLElement>('.footnote') ?? [])];
  const note = notes.find((one) => one.dataset['note'] === reference.dataset['footnote']);
  // The first line of a folded step is shown, and its note isn't.
  note?.closest('.step.is-folded')?.querySelector<HTMLElement>('.step-fold')?.click();
  note?.scrollIntoView({ block: 'nearest' });
  note?.focus({ preventScroll: true });
}
