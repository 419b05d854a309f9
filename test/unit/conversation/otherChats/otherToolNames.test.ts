import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { OtherMessage } from '../../../../src/conversation/otherChats/otherParts.ts';
import { withWireNames } from '../../../../src/conversation/otherChats/otherToolNames.ts';

const tool = (name: string) => ({ name, description: '', schema: undefined });
const calling = (name: string): OtherMessage => ({
  role: 'assistant',
  parts: [
    { type: 'text', text: 'I look.' },
    { type: 'call', id: 'a', name, input: {} },
  ],
});

describe('The names of tools of another chat', () => {
  it('are as the service takes them, in calls as well, and are found again', () => {
    const names = ['weather.now', 'wetter für morgen', `${'long'.repeat(20)}`];
    const { request, given } = withWireNames({ messages: names.map(calling), tools: names.map(tool) });
    const sent = request.tools.map(({ name }) => name);
    for (const name of sent) assert.match(name, /^[A-Za-z0-9_-]{1,64}$/);
    assert.deepEqual(
      sent.map((name) => given.get(name)),
      names,
    );
    assert.deepEqual(
      request.messages.map(({ parts }) => parts.flatMap((part) => (part.type === 'call' ? part.name : []))),
      sent.map((name) => [name]),
    );
  });

  it('stay as they are where the service takes them, and are the same without the other tools', () => {
    const usual = { messages: [calling('weather')], tools: [tool('weather')] };
    assert.deepEqual(withWireNames(usual).request, usual);
    const of = (...names: string[]) =>
      withWireNames({ messages: [], tools: names.map(tool) }).request.tools[0];
    assert.deepEqual(of('weather.now'), of('weather.now', 'weather_now'));
  });
});
