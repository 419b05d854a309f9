/**
 * Writes an attempt as a Markdown document, with a line for each figure, so that two attempts can be compared. As in
 * `conversationMarkdown.ts`, all text from the service is in a fence, or is made harmless for a preview.
 */
import { escapeMarkdown, toFenced } from './conversationMarkdown.ts';
import { allReasoning } from './rounds.ts';
import type { Turn } from './turn.ts';

/** A figure or a check, in the display language. */
export interface AttemptFact {
  readonly label: string;
  readonly value: string;
}

export interface AttemptWords {
  readonly title: string;
  /** Outcome, checks, tokens, cost, and times. The same labels in the same order for each attempt are easy to compare. */
  readonly facts: readonly AttemptFact[];
  readonly answerHeading: string;
  readonly reasoningHeading: string;
  readonly noAnswer: string;
  readonly noReasoning: string;
}

/**
 * @param answer the complete answer, as it is shown
 * @param toRendered converts text of the service to Markdown for a preview. In the preview, the figures come last, because users
 * read the answer. Without this, the text is shown as its source, and the figures come first, where differences are easy to see.
 */
export function toAttemptDocument(
  turn: Turn,
  answer: string,
  words: AttemptWords,
  toRendered?: (text: string) => string,
): string {
  const facts = words.facts.map(({ label, value }) => `- ${escapeMarkdown(label)}: ${escapeMarkdown(value)}`);
  const toText = toRendered ?? ((text: string) => toFenced(text).text);
  const section = (heading: string, text: string, none: string) => [
    `## ${escapeMarkdown(heading)}`,
    text.trim() === '' ? escapeMarkdown(none) : toText(text),
  ];
  return [
    `# ${escapeMarkdown(words.title)}`,
    ...(toRendered === undefined ? facts : []),
    ...section(words.answerHeading, answer, words.noAnswer),
    ...section(words.reasoningHeading, allReasoning(turn), words.noReasoning),
    ...(toRendered === undefined ? [] : ['', '---', '', ...facts]),
    '',
  ].join('\n');
}
