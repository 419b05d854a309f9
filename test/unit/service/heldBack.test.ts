/** Usage behind text that the reader holds back. */
import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import { EMPTY_RESPONSE, foldResponse } from '../../../src/conversation/response.ts';
import { chunkOf, readBodyOf, sse, USAGE, USAGE_CHUNK } from './wire.ts';

const textOf = (content: string, index = 0) => ({
  ...chunkOf({}),
  choices: [{ index, delta: { content }, finish_reason: null }],
});
const FINISH = chunkOf({}, 'stop');

async function responseOf(...events: readonly (object | string)[]) {
  const read = await readBodyOf(sse(...events));
  assert.equal(read.error, undefined);
  const { answer, usage, usageIsPart, wentOn } = read.events.reduce(foldResponse, EMPTY_RESPONSE);
  assert.equal(usage?.totalTokens, USAGE.total_tokens);
  return [answer, usageIsPart, wentOn];
}

describe('Usage behind text that is held back', () => {
  it('is that of the whole answer where the text may be the beginning of a tag', async () => {
    for (const end of [[FINISH, '[DONE]'], ['[DONE]'], []])
      assert.deepEqual(await responseOf(textOf('a <'), USAGE_CHUNK, ...end), ['a <', false, false]);
    const inChoice = { ...textOf('a <'), usage: USAGE };
    assert.deepEqual(await responseOf(inChoice, FINISH, '[DONE]'), ['a <', false, false]);
  });

  it('is that of the whole answer where the text may be that of another choice', async () => {
    for (const end of [[chunkOf({}, 'stop'), '[DONE]'], ['[DONE]'], []]) {
      const events = [textOf('One '), textOf('two', 1), USAGE_CHUNK, ...end];
      assert.deepEqual(await responseOf(...events), ['One two', false, false]);
    }
  });

  it('is that of a part where more text arrives behind it', async () => {
    const held = [textOf('a <'), USAGE_CHUNK];
    assert.deepEqual(await responseOf(...held, textOf('b'), FINISH, '[DONE]'), ['a <b', true, false]);
    assert.deepEqual(await responseOf(...held, textOf('<'), FINISH, '[DONE]'), ['a <<', true, false]);
    const reasoned = chunkOf({ reasoning_content: 'r' });
    assert.deepEqual(await responseOf(...held, reasoned, FINISH, '[DONE]'), ['a <', true, false]);
    const doubtful = [textOf('One '), textOf('two', 1), USAGE_CHUNK, textOf(' three', 2)];
    assert.deepEqual(await responseOf(...doubtful, '[DONE]'), ['One two three', true, false]);
  });

  it('is that of the whole answer where another report behind it counts the input only', async () => {
    const input = { ...USAGE_CHUNK, usage: { prompt_tokens: USAGE.prompt_tokens } };
    const events = [textOf('a <'), USAGE_CHUNK, input, FINISH, '[DONE]'];
    assert.deepEqual(await responseOf(...events), ['a <', false, false]);
    const doubtful = [textOf('One '), textOf('two', 1), USAGE_CHUNK, input, '[DONE]'];
    assert.deepEqual(await responseOf(...doubtful), ['One two', false, false]);
  });

  it('is that of a part where the text came with the finish reason behind it', async () => {
    const reasoned = {
      ...chunkOf({ reasoning_content: 'The answer is forty-two because of this.' }),
      usage: USAGE,
    };
    const end = chunkOf({ content: 'The answer is forty-two because' }, 'stop');
    const [answer, isPart] = await responseOf(reasoned, end, '[DONE]');
    assert.deepEqual([answer, isPart], ['The answer is forty-two because', true]);
  });

  it('counts for what came before it, and not for what is held back behind it', async () => {
    const events = [textOf('a'), USAGE_CHUNK, textOf(' <'), FINISH, '[DONE]'];
    assert.deepEqual(await responseOf(...events), ['a <', true, false]);
  });
});
