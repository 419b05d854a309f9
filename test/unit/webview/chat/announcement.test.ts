import assert from 'node:assert/strict';
import { describe, it } from 'mocha';
import type { PanelState } from '../../../../src/panel/panelState.ts';
import type { ToolCallView, TurnView } from '../../../../src/panel/views.ts';
import { announcementOf } from '../../../../src/webview/chat/announcement.ts';
import {
  cardView,
  exchangeView,
  panelState,
  surroundingsView,
  toolCallView,
  turnView,
} from '../../../support/views.ts';

const word = (key: string, ...values: readonly string[]) =>
  key.replace(/\{(\d)\}/g, (_, at: string) => values[Number(at)] ?? '');
const running = (phase: TurnView['phase'], more: Partial<TurnView> = {}) =>
  turnView('running', { phase, phaseLabel: `label of ${phase}`, ...more });
const panel = (turn: TurnView, answer = '') => panelState([exchangeView('e1', 'Why?', answer, turn)]);

/** What is said while the panel goes through these states. */
function said(states: readonly PanelState[]): readonly string[] {
  return states.flatMap((state, at) => announcementOf(states[at - 1], state, word) ?? []);
}

describe('What screen readers are told of a turn', () => {
  it('are its phases and its end, once each, and no words of the answer', () => {
    const states = [
      panel(running('connecting')),
      panel(running('first-byte')),
      panel(running('reasoning')),
      panel(running('reasoning')),
      panel(running('answering'), 'So'),
      ...Array.from({ length: 50 }, (_, n) => panel(running('answering'), 'So '.repeat(n))),
      panel(turnView('complete'), 'So it is.'),
      panel(turnView('complete'), 'So it is.'),
    ];
    assert.deepEqual(said(states), ['label of first-byte', 'Reasoning', 'Answering', 'Done']);
  });

  it('are the problems of its end instead of “Done”, and no notes', () => {
    const cards = [
      cardView('problem', 'Cut off'),
      cardView('note', 'Cheaper'),
      cardView('problem', 'Other model'),
    ];
    const states = [panel(running('answering')), panel(turnView('truncated', { cards }))];
    assert.deepEqual(said(states), ['Cut off. Other model']);
  });

  it('is a card that appears while it runs, once, but none about a retry, whose phase says it', () => {
    const cards = [cardView('note', 'Some results are no longer sent')];
    const states = [
      panel(running('calling')),
      panel(running('connecting', { cards })),
      panel(running('first-byte', { cards })),
      panel(running('waiting', { cards: [...cards, cardView('note', 'Too many requests')], waitUntil: 9 })),
    ];
    assert.deepEqual(said(states), [
      'Some results are no longer sent',
      'label of first-byte',
      'label of waiting',
    ]);
  });

  it('is its state when it ended otherwise', () => {
    const stopped = turnView('stopped', { phaseLabel: 'Stopped' });
    assert.deepEqual(said([panel(running('answering')), panel(stopped)]), ['Stopped']);
  });

  it('is each tool call that waits for an approval', () => {
    const call = (id: string, name: string): ToolCallView => ({
      id,
      name,
      title: name,
      arguments: '{}',
      source: undefined,
      approval: 'a',
      state: 'waiting',
      stateLabel: 'Waiting for approval',
      result: undefined,
      images: [],
      startedAt: undefined,
      seconds: undefined,
    });
    const calling = (...calls: readonly ToolCallView[]) =>
      panel(running('calling', { rounds: [{ answer: '', calls }] }));
    const one = call('c1', 'read_file');
    assert.deepEqual(said([calling(one), calling(one), calling(one, call('c2', 'edit_file'))]), [
      'Tool call, read_file: Waiting for approval',
      'Tool call, edit_file: Waiting for approval',
    ]);
  });

  it('are those of another attempt for an earlier question, and its tool call that waits', () => {
    const last = exchangeView('e2', 'And then?', 'So.', turnView('complete'));
    const both = (turn: TurnView) => panelState([exchangeView('e1', 'Why?', '', turn), last]);
    const calls = [toolCallView({ state: 'waiting', stateLabel: 'Waiting for approval' })];
    const states = [
      both(turnView('complete')),
      both(running('connecting')),
      both(running('reasoning')),
      both(running('calling', { rounds: [{ answer: '', calls }] })),
      both(running('answering')),
      both(turnView('truncated', { cards: [cardView('problem', 'Cut off')] })),
      both(turnView('truncated', { cards: [cardView('problem', 'Cut off')] })),
    ];
    assert.deepEqual(said(states), [
      'label of connecting',
      'Reasoning',
      'Tool call, read_file: Waiting for approval',
      'Answering',
      'Cut off',
    ]);
  });

  it('are the messages in the queue when one is added, and nothing when one is sent or the queue is paused', () => {
    const queued = (queuePaused: boolean, ...texts: readonly string[]) => ({
      ...panel(running('answering')),
      surroundings: surroundingsView({ queuePaused, queue: texts.map((text) => ({ id: text, text })) }),
    });
    const states = [queued(false), queued(false, 'a'), queued(false, 'a', 'b'), queued(false, 'b')];
    assert.deepEqual(said(states), ['Queued messages: 1', 'Queued messages: 2']);
    assert.deepEqual(
      said([queued(false), queued(true, 'a')]),
      [],
      'the text of the paused queue is an own live region',
    );
  });

  it('is nothing when the page has got other messages, whose turns ended long ago', () => {
    const at = (later: number, id: string) =>
      panelState([exchangeView(id, 'Why?', 'So.', turnView('complete'))], { later });
    assert.deepEqual(said([at(40, 'e1'), at(20, 'e2'), at(0, 'e3'), at(60, 'e4')]), []);
    assert.deepEqual(said([at(0, 'e1'), at(0, 'e2')]), ['Done'], 'one that has just ended');
  });

  it('is empty when another conversation is shown, so that it isn’t that of the one before', () => {
    const other = { ...panel(turnView('complete')), conversationId: 'c2' };
    assert.deepEqual(said([panel(running('answering')), other, other]), ['']);
  });
});
