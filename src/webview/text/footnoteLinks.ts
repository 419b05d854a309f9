/** Moves to the note of a footnote, which is in the same text: each step of the reasoning has its own notes. */
export function followFootnote(reference: HTMLElement): void {
  const text = reference.closest('.step, [data-part]');
  const notes = [...(text?.querySelectorAll<HTMLElement>('.footnote') ?? [])];
  const note = notes.find((one) => one.dataset['note'] === reference.dataset['footnote']);
  // If the step is folded, only its first line is shown, so it is unfolded first.
  note?.closest('.step.is-folded')?.querySelector<HTMLElement>('.step-fold')?.click();
  note?.scrollIntoView({ block: 'nearest' });
  note?.focus({ preventScroll: true });
}
