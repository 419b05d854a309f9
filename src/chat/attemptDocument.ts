/**
 * An attempt as a Markdown document, with a line for each figure, so that two of them can be compared. As in `document.ts`,
 * all text from the service is in a fence.
 */
import { escapeMarkdown, toFenced } from './document.ts';
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

/** @param answer the complete answer, as it is shown */
export function toAttemptDocument(turn: Turn, answer: string, words: AttemptWords): string {
  const reasoning = allReasoning(turn);
  return [
    `# ${escapeMarkdown(words.title)}`,
    ...words.facts.map(({ label, value }) => `- ${escapeMarkdown(label)}: ${escapeMarkdown(value)}`),
    `## ${escapeMarkdown(words.answerHeading)}`,
    answer.trim() === '' ? escapeMarkdown(words.noAnswer) : toFenced(answer).text,
    `## ${escapeMarkdown(words.reasoningHeading)}`,
    reasoning.trim() === '' ? escapeMarkdown(words.noReasoning) : toFenced(reasoning).text,
    '',
  ].join('\n');
}
