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

export type ReasoningNode = TurnNode | StepNode | FileNode;
