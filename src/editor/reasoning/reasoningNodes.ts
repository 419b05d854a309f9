/** The nodes of the Reasoning view. */
import type { FileMention } from '../../conversation/reasoning/outline.ts';
import type { Mentioned } from '../workspace/mentionedFiles.ts';

export interface TurnNode {
  readonly kind: 'turn';
  readonly turnId: string;
}

export interface StepNode {
  readonly kind: 'step';
  readonly turnId: string;
  readonly index: number;
}

export interface FileNode {
  readonly kind: 'file';
  readonly step: StepNode;
  readonly mention: FileMention;
  readonly where: Mentioned;
}

/** The row that lists earlier turns. */
export interface EarlierNode {
  readonly kind: 'earlier';
  /** The number of turns that aren't listed. */
  readonly count: number;
}

export type ReasoningNode = TurnNode | StepNode | FileNode | EarlierNode;

/** The nodes of turns and steps. Returns the same object each time, because the editor compares nodes by identity. */
export interface Nodes {
  turn(turnId: string): TurnNode;
  step(turnId: string, index: number): StepNode;
  clear(): void;
}

export function createNodes(): Nodes {
  const turns = new Map<string, { readonly node: TurnNode; readonly steps: Map<number, StepNode> }>();
  const entryOf = (turnId: string) => {
    const known = turns.get(turnId);
    if (known !== undefined) return known;
    const fresh = { node: { kind: 'turn', turnId } as const, steps: new Map<number, StepNode>() };
    turns.set(turnId, fresh);
    return fresh;
  };
  return {
    turn: (turnId) => entryOf(turnId).node,
    step(turnId, index) {
      const { steps } = entryOf(turnId);
      const node: StepNode = steps.get(index) ?? { kind: 'step', turnId, index };
      steps.set(index, node);
      return node;
    },
    clear: () => turns.clear(),
  };
}
