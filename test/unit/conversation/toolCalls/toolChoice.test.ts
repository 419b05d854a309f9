import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import {
  chooseTools,
  DEFAULT_CHOICE,
  hashOfChoice,
  parseToolChoice,
  withChosen,
} from '../../../../src/conversation/toolCalls/toolChoice.ts';

const tool = (name: string, source = 'k3') => ({ name, description: '', parameters: {}, source });
const THERE = [tool('b'), tool('a'), tool('z', 'MCP: x'), tool('y', 'MCP: x')];
const namesOf = (tools: readonly { readonly name: string }[]) => tools.map(({ name }) => name);

describe('The choice of tools', () => {
  it('contains our own tools and no others by default', () => {
    assert.deepEqual(namesOf(chooseTools(THERE, DEFAULT_CHOICE)), ['a', 'b']);
  });

  it('has the same order, whatever the order of the tools is', () => {
    const choice = { without: [], others: ['y', 'z'] };
    assert.deepEqual(namesOf(chooseTools(THERE, choice)), ['a', 'b', 'y', 'z']);
    assert.deepEqual(namesOf(chooseTools(THERE.toReversed(), choice)), ['a', 'b', 'y', 'z']);
  });

  it('contains all selected tools, even more than the service accepts: the request reports that', () => {
    const many = Array.from({ length: 200 }, (_, index) => tool(`t${String(index).padStart(3, '0')}`));
    assert.equal(chooseTools(many, DEFAULT_CHOICE).length, 200);
  });

  it('keeps what the user selected', () => {
    const choice = withChosen(DEFAULT_CHOICE, THERE, new Set(['a', 'z']));
    assert.deepEqual(choice, { without: ['b'], others: ['z'] });
    assert.deepEqual(namesOf(chooseTools(THERE, choice)), ['a', 'z']);
  });

  it('keeps selected tools that are not available at the moment', () => {
    const before = { without: ['gone'], others: ['away', 'z'] };
    const choice = withChosen(before, THERE, new Set(['a', 'b', 'y']));
    assert.deepEqual(choice, { without: ['gone'], others: ['away', 'y'] });
  });

  it('has the same hash whatever a server does with its tools, and another one when the user changes something', () => {
    const choice = { without: [], others: ['y', 'z'] };
    const hash = hashOfChoice(choice, THERE);
    const changed = THERE.map((one) => (one.source === 'k3' ? one : { ...one, description: 'new' }));
    for (const there of [THERE.toReversed(), changed, THERE.slice(0, 2)])
      assert.equal(hashOfChoice(choice, there), hash);
    assert.notEqual(hashOfChoice({ ...choice, others: ['y'] }, THERE), hash);
    assert.notEqual(hashOfChoice(choice, undefined), hash);
    assert.notEqual(hashOfChoice(choice, THERE.slice(1)), hash);
  });

  it('is parsed from any stored value', () => {
    for (const stored of [undefined, null, 1, 'a', [], {}, { without: 1, others: {} }])
      assert.deepEqual(parseToolChoice(stored), DEFAULT_CHOICE);
    assert.deepEqual(parseToolChoice({ without: ['a', 1], others: [null, 'b'] }), {
      without: ['a'],
      others: ['b'],
    });
  });
});
