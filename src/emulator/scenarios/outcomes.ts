/** Valid responses with an unwanted outcome: failures with status 200 (F1–F7, R2, R5). */

import type { CompletionRequest } from '../completionRequest.ts';
import { toDemoDraft } from '../demo/demo.ts';
import { DEMO_MARK } from '../demo/demoAnswers.ts';
import { findCutAnswer } from '../demo/demoContinuing.ts';
import { countOutput, type Draft, type Reply } from '../reply.ts';
import { countTokens } from '../tokens.ts';
import type { Scenario } from './scenario.ts';

export const OUTCOME_SCENARIOS: readonly Scenario[] = [
  {
    name: 'truncate',
    row: 'F2',
    title: 'The answer is cut off in the middle: finish_reason length, with content',
    reply: (reply) => recount({ ...reply, content: firstHalf(reply.content), finishReason: 'length' }),
  },
  {
    name: 'truncate-repeats',
    row: 'F2',
    title: 'The answer is cut off in the middle; its rest begins with the last words before the cut',
    reply: (reply, { request }) =>
      continued(reply, request, (said) => [...said].slice(-24).join('') + reply.content),
  },
  {
    name: 'truncate-fence',
    row: 'F2',
    title: 'The answer is cut off in the middle; its rest begins with a code block that is opened again',
    reply: (reply, { request }) =>
      continued(
        reply,
        request,
        () => `\`\`\`${request.format.type === 'text' ? 'ts' : 'json'}\n${reply.content}`,
      ),
  },
  {
    name: 'truncate-forgets',
    row: 'F2',
    title: 'The answer is cut off in the middle; what comes then is not its rest',
    reply: (reply, { request }) =>
      continued(reply, request, () => `${DEMO_MARK} It has forgotten what it was saying.`),
  },
  {
    name: 'spent-on-reasoning',
    row: 'F1',
    title: 'The budget went into reasoning: finish_reason length, empty content, everything billed',
    // A retry with one and a half times the default budget succeeds, so that the suggested fix can be tested.
    reply: (reply, { request }) =>
      request.budget > 131_072
        ? reply
        : recount({ ...reply, content: '', calls: [], finishReason: 'length' }),
  },
  {
    name: 'empty',
    row: 'F7',
    title: 'finish_reason stop, empty content, no tool calls',
    reply: (reply) => recount({ ...reply, content: '', calls: [] }),
  },
  {
    name: 'substitute',
    row: 'R2, F5',
    title: 'Another model answers, and says so only in `model`',
    reply: (reply) => ({ ...reply, model: 'svc-k2-mini' }),
  },
  {
    name: 'no-model',
    row: 'R2',
    title: 'The reply does not name its model',
    reply: (reply) => ({ ...reply, model: '' }),
  },
  {
    name: 'effort-ignored',
    row: 'F3, Q15',
    title: 'reasoning_effort is accepted and has no effect',
    draft: (_draft, { request }) => toDemoDraft({ ...request, effort: undefined }),
  },
  {
    name: 'budget-clamped',
    row: 'F4, Q8',
    title: 'A budget above 1,048,576 is clamped without a word (so it is without a scenario, too)',
  },
  {
    name: 'content-filter',
    row: 'service.md: Errors',
    title: 'finish_reason content_filter in the middle of the answer',
    reply: (reply) =>
      recount({ ...reply, content: firstHalf(reply.content), finishReason: 'content_filter' }),
  },
  {
    name: 'odd-finish',
    row: 'R5',
    title: 'A finish reason that nobody documents',
    reply: (reply) => ({ ...reply, finishReason: 'model_tired' }),
  },
  {
    name: 'slow-reasoning',
    row: 'E9, service.md: Observed times',
    title: 'Thinks for about a minute, in many steps, before it answers',
    tokensPerSecond: 40,
    draft: (draft, { request }) => ({ ...draft, reasoning: longReasoning(request, draft) }),
    steps: (steps) => [{ type: 'wait', ms: 3000 }, ...steps],
  },
  {
    name: 'slow-start',
    row: 'Q9, E9',
    title: 'Nothing for 20 seconds, then the answer',
    steps: (steps) => [{ type: 'wait', ms: 20_000 }, ...steps],
  },
  {
    name: 'long-answer',
    row: 'performance.md',
    title: 'An answer of about 20,000 tokens, as fast as it is read',
    tokensPerSecond: Number.POSITIVE_INFINITY,
    draft: (draft) => ({ ...draft, content: longAnswer() }),
  },
];

/** The first half of an answer, or its rest as `rest` changes it. */
function continued(reply: Reply, request: CompletionRequest, rest: (said: string) => string): Reply {
  const cut = findCutAnswer(request);
  return recount(
    cut === undefined
      ? { ...reply, content: firstHalf(reply.content), finishReason: 'length' }
      : { ...reply, content: rest(cut.said) },
  );
}

/** The start of a text, cut at any character, as a budget does. */
export function firstHalf(text: string): string {
  return [...text].slice(0, Math.ceil([...text].length / 2)).join('');
}

/** Updates the token counts of a changed reply. */
export function recount(reply: Reply): Reply {
  const usage = {
    ...reply.usage,
    reasoningTokens: countTokens(reply.reasoning),
    completionTokens: countOutput(reply),
  };
  return { ...reply, usage };
}

function longReasoning(request: CompletionRequest, draft: Draft): string {
  const words =
    request.messages
      .findLast(({ role }) => role === 'user')
      ?.text.split(/\s+/)
      .slice(0, 60) ?? [];
  const steps = Array.from(
    { length: 14 },
    (_, index) =>
      `**Step ${index + 1}.** I turn the question over once more: “${words.slice(index, index + 8).join(' ')}”. ${
        index % 2 === 0
          ? 'One way is to take it as it stands; the other is to ask what it leaves out. I follow the first, and note where the second would lead elsewhere.'
          : 'That holds for the usual case. For an empty input it needs a word more, and at the limit it needs a number, which I look up before I go on.'
      }`,
  );
  return [draft.reasoning, ...steps].join('\n\n');
}

function longAnswer(): string {
  const section = (index: number): string =>
    `## Part ${index}\n\nA paragraph with **bold**, \`code\` and a [link](https://example.com/${index}), long enough to wrap in a narrow panel.\n\n- first item of part ${index}\n- second item\n\n\`\`\`ts\nexport function part${index}(input: readonly string[]): number {\n  // Counts what is not empty.\n  return input.filter((text) => text !== '').length + ${index};\n}\n\`\`\``;
  const sections = Array.from({ length: 200 }, (_, index) => section(index + 1));
  return [`> ${DEMO_MARK}`, ...sections].join('\n\n');
}
