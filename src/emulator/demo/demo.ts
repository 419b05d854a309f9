/** The demo model: answers that fit the prompt and say in their first line that they are a demo. */
import type { CompletionRequest, RequestMessage } from '../completionRequest.ts';
import type { Draft, ReplyCall } from '../reply.ts';
import {
  answerCode,
  answerCommit,
  answerGeneral,
  answerImage,
  answerTool,
  DEMO_MARK,
} from './demoAnswers.ts';
import { toDemoCommit } from './demoCommit.ts';
import { findCutAnswer } from './demoContinuing.ts';
import { toDemoFindings } from './demoFindings.ts';
import { asksForEdits, toDemoProposal } from './demoProposal.ts';
import { toReasoning } from './demoReasoning.ts';
import { toArguments, toExample } from './demoSchema.ts';
import { type DemoTask, readTask } from './demoTask.ts';

/**
 * The draft for a request. Equal requests get equal drafts. If the request asks to continue an answer that was cut off,
 * the draft is the rest of it.
 */
export function toDemoDraft(request: CompletionRequest): Draft {
  const cut = findCutAnswer(request);
  const whole = cut && toDraft(cut.request);
  if (cut !== undefined && whole?.content.startsWith(cut.said) && whole.content !== cut.said)
    return { ...whole, content: whole.content.slice(cut.said.length) };
  return toDraft(request);
}

function toDraft(request: CompletionRequest): Draft {
  const task = readTask(request);
  const reasoning = toReasoning(task, request.effort);
  if (request.format.type === 'json_schema') {
    const { schema } = request.format;
    const text = request.messages.findLast(({ role }) => role === 'user')?.text ?? '';
    const answer = asksForEdits(schema)
      ? toDemoProposal(task, text)
      : (toDemoFindings(schema, text) ?? toExample(schema));
    return { reasoning, content: JSON.stringify(answer, null, 2), calls: [] };
  }
  if (request.format.type === 'json_object') {
    const answer = { demo: true, note: DEMO_MARK, task: task.kind, question: task.question.slice(0, 200) };
    return { reasoning, content: JSON.stringify(answer, null, 2), calls: [] };
  }
  const call = task.kind === 'call-tool' ? toCall(request, task) : undefined;
  if (call !== undefined) return { reasoning, content: '', calls: asksForTwo(task) ? toTwo(call) : [call] };
  return { reasoning, content: toContent(task, request.messages), calls: [] };
}

function toContent(task: DemoTask, messages: readonly RequestMessage[]): string {
  switch (task.kind) {
    case 'commit':
      return toDemoCommit(task.block?.code ?? '') ?? answerCommit(task);
    case 'image':
      return answerImage(task, messages.findLast((message) => message.images.length > 0)?.images ?? []);
    case 'tool-result':
      return answerTool(task, messages);
    case 'general':
    case 'call-tool':
      return wantedWords(task) ?? answerGeneral(task);
    default:
      return answerCode(task);
  }
}

/** The tool that the prompt names, otherwise the first one. */
function toCall(request: CompletionRequest, task: DemoTask): ReplyCall | undefined {
  const tool = request.tools.find(({ name }) => task.question.includes(name)) ?? request.tools[0];
  if (tool === undefined) return undefined;
  return {
    id: `call_demo_${request.messages.length}`,
    name: tool.name,
    arguments: JSON.stringify(toArguments(tool.parameters, task.files)),
  };
}

/** The words with which a question wants to be answered if something is missing. */
const wantedWords = ({ question }: DemoTask) => /reply only with the words: ([\w ]+)$/i.exec(question)?.[1];

const asksForTwo = ({ question }: DemoTask) => /\btwo calls\b/i.test(question);

const toTwo = (call: ReplyCall): readonly ReplyCall[] => [call, { ...call, id: `${call.id}_2` }];
