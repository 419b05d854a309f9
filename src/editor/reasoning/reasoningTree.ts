/** The data of the Reasoning view: the turns of the open conversation, their steps, and the files that the steps mention. */
import * as vscode from 'vscode';
import type { Exchange } from '../../conversation/conversation.ts';
import { stepsOf } from '../../conversation/reasoning/outline.ts';
import type { Turn } from '../../conversation/turn.ts';
import type { CitedStep, Strength } from '../../panel/why.ts';
import { createThrottle } from '../base/throttle.ts';
import { type Routes, toNow } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { StructuredAnswers } from '../structured/structuredAnswers.ts';
import { turnPhaseLabel } from '../wording/turnLabels.ts';
import { createMentionedFiles, type MentionedFiles } from '../workspace/mentionedFiles.ts';
import { toItem, toStepTooltip } from './reasoningItems.ts';
import {
  createNodes,
  type FileNode,
  type Nodes,
  type ReasoningNode,
  type StepNode,
} from './reasoningNodes.ts';
import { createShownTurns, type ShownTurns } from './shownTurns.ts';

/** The interval of updates while a turn runs. In milliseconds. */
const REFRESH_MS = 250;

export interface ReasoningTreeDeps {
  readonly conversations: Pick<
    Conversations,
    'front' | 'find' | 'loaded' | 'isRunning' | 'holder' | 'onDidChange'
  >;
  readonly routes: Pick<Routes, 'active' | 'named' | 'onDidChange'>;
  readonly structured: Pick<StructuredAnswers, 'judged' | 'onDidJudge'>;
}

export interface ReasoningTree extends vscode.TreeDataProvider<ReasoningNode>, vscode.Disposable {
  getChildren(node?: ReasoningNode): Promise<ReasoningNode[]>;
  getTreeItem(node: ReasoningNode): vscode.TreeItem;
  /** Fires with the new last node of the running turn. */
  readonly onDidAddNode: vscode.Event<ReasoningNode>;
  /** Fires when a turn starts. */
  readonly onDidStartTurn: vscode.Event<void>;
  /** Marks the steps that mention words of an answer. Removes earlier marks. */
  cite(cited: CitedSteps): void;
  /** Lists the turn of a step, and returns the node of the step, to reveal it. */
  list(turnId: string, step: number): StepNode;
  /** Lists earlier turns. */
  showEarlier(): void;
}

/** The steps that the page of the chat has marked. */
export interface CitedSteps extends Shown {
  /** The best first, of all turns with a part of the answer. Empty if nothing is marked anymore. */
  readonly steps: readonly CitedStep[];
  /** The index of the current step in this list. */
  readonly at: number;
}

export interface Shown {
  /** Whether the view is opened if it is hidden. */
  readonly show: boolean;
}

/** Creates the data provider. It returns the same node objects each time, so that the editor can refresh a single one. */
export function createReasoningTree({ conversations, routes, structured }: ReasoningTreeDeps): ReasoningTree {
  const changed = new vscode.EventEmitter<ReasoningNode | ReasoningNode[] | undefined>();
  const nodeAdded = new vscode.EventEmitter<ReasoningNode>();
  const turnStarted = new vscode.EventEmitter<void>();
  const files = createMentionedFiles();
  const nodes = createNodes();
  const shown = createShownTurns();
  /** The turn and shape for which a change was last fired. */
  let reported: { readonly turnId: string; readonly shape: string } | undefined;
  /**
   * The IDs of the turns when the rows were last drawn. Rows aren't drawn again needlessly, because the editor leaks some memory for
   * each.
   */
  let known: string | undefined;
  let running: string | undefined;
  let cited: CitedSteps | undefined;

  const turnIds = () =>
    conversations.front().exchanges.flatMap(({ attempts }) => attempts.map(({ id }) => id));

  function refresh(): void {
    const turn = running === undefined ? undefined : conversations.find(running)?.turn;
    if (turn === undefined) return;
    const steps = turn.outline.finished.length + (turn.outline.current === undefined ? 0 : 1);
    const last = steps === 0 ? nodes.turn(turn.id) : nodes.step(turn.id, steps - 1);
    const shape = [steps, turn.waiting?.tries, turn.outcome ?? turnPhaseLabel(turn)].join(' ');
    if (reported?.turnId === turn.id && reported.shape === shape) {
      if (steps > 0 && turn.phase === 'reasoning') changed.fire(last);
      return;
    }
    reported = { turnId: turn.id, shape };
    // A turn of an early question, which isn't listed, can be running because the question is asked again.
    changed.fire(shown.include(turnIds(), turn.id) ? undefined : nodes.turn(turn.id));
    if (turn.outcome === undefined) nodeAdded.fire(last);
  }

  const throttle = createThrottle(REFRESH_MS, refresh);

  function startOver(): void {
    throttle.cancel();
    nodes.clear();
    shown.reset();
    cited = undefined;
    changed.fire(undefined);
  }

  /** Draws all rows if there is a turn that the view doesn't have, otherwise only the rows of the exchange. */
  function redraw({ question, attempts }: Exchange): void {
    files.forget();
    const before = known;
    known = turnIds().join();
    if (known !== before) {
      changed.fire(undefined);
      turnStarted.fire();
      return;
    }
    const ids = attempts.map(({ id }) => id);
    changed.fire([...ids, question.continues ?? []].flat().map(nodes.turn));
  }

  /** Draws the rows of failed turns: another route or a later answer can change whether a failure still counts. */
  function redrawFailed(): void {
    const turns = conversations.front().exchanges.flatMap(({ attempts }) => attempts);
    const failed = turns.filter(({ outcome }) => outcome === 'failed');
    if (failed.length > 0) changed.fire(failed.map(({ id }) => nodes.turn(id)));
  }

  const switching = routes.onDidChange(redrawFailed);

  const listening = conversations.onDidChange((change) => {
    if (change.type === 'turn' && (change.turn.outcome ?? 'failed') !== 'failed') redrawFailed();
    if (change.type === 'opened' || change.type === 'front') return startOver();
    if (!('conversationId' in change) || change.conversationId !== conversations.front().id) return;
    if (change.type === 'replaced') startOver();
    else if (change.type === 'exchange') {
      redraw(change.exchange);
    } else if (change.type === 'turn') {
      running = change.turn.id;
      if (change.turn.outcome === undefined) throttle.call();
      else {
        throttle.now();
        // The icon of a part shows whether its answer was continued.
        const continued = conversations.find(running)?.exchange.question.continues;
        if (continued !== undefined) changed.fire(nodes.turn(continued));
      }
    }
  });

  const judging = structured.onDidJudge((turnId) => changed.fire(nodes.turn(turnId)));

  async function childrenOf(node: ReasoningNode | undefined): Promise<ReasoningNode[]> {
    if (node === undefined) {
      const ids = turnIds();
      known = ids.join();
      return rootsOf(ids, shown, nodes);
    }
    const turn = 'turnId' in node ? conversations.find(node.turnId)?.turn : undefined;
    if (node.kind === 'turn' && turn !== undefined)
      return stepsOf(turn.outline).map((_, index) => nodes.step(turn.id, index));
    if (node.kind === 'step' && turn !== undefined) return filesOf(node, turn, files);
    return [];
  }

  return {
    onDidChangeTreeData: changed.event,
    onDidAddNode: nodeAdded.event,
    onDidStartTurn: turnStarted.event,
    getChildren: childrenOf,
    getTreeItem: (node) =>
      toItem(
        node,
        conversations,
        structured.judged,
        () => toNow(routes, conversations.loaded()),
        strengthOf(node, cited),
      ),
    list(turnId, step) {
      if (shown.include(turnIds(), turnId)) changed.fire(undefined);
      return nodes.step(turnId, step);
    },
    showEarlier() {
      shown.showMore();
      changed.fire(undefined);
    },
    cite(next) {
      const before = cited;
      cited = next;
      const marked = [before, next].flatMap(
        (one) => one?.steps.map(({ turnId, step }) => nodes.step(turnId, step)) ?? [],
      );
      changed.fire([...new Set(marked)]);
    },
    getParent: (node) => parentOf(node, nodes),
    resolveTreeItem(item, node) {
      const turn = node.kind === 'step' ? conversations.find(node.turnId)?.turn : undefined;
      if (node.kind !== 'step' || turn === undefined) return item;
      item.tooltip = toStepTooltip(turn, node.index);
      return item;
    },
    dispose() {
      throttle.dispose();
      listening.dispose();
      switching.dispose();
      judging.dispose();
      for (const emitter of [changed, nodeAdded, turnStarted]) emitter.dispose();
    },
  };
}

function rootsOf(ids: readonly string[], shown: ShownTurns, nodes: Nodes): ReasoningNode[] {
  const { turns, earlier } = shown.list(ids);
  const rows = turns.map((id) => nodes.turn(id));
  return earlier === 0 ? rows : [{ kind: 'earlier', count: earlier }, ...rows];
}

function filesOf(step: StepNode, turn: Turn, files: MentionedFiles): Promise<ReasoningNode[]> {
  const mentions = stepsOf(turn.outline)[step.index]?.files ?? [];
  return Promise.all(
    mentions.map(
      async (mention): Promise<FileNode> => ({
        kind: 'file',
        step,
        mention,
        where: await files.find(mention.path),
      }),
    ),
  );
}

function parentOf(node: ReasoningNode, nodes: Nodes): ReasoningNode | undefined {
  switch (node.kind) {
    case 'turn':
    case 'earlier':
      return undefined;
    case 'step':
      return nodes.turn(node.turnId);
    case 'file':
      return node.step;
  }
}

function strengthOf(node: ReasoningNode, cited: CitedSteps | undefined): Strength | undefined {
  if (node.kind !== 'step') return undefined;
  return cited?.steps.find(({ turnId, step }) => turnId === node.turnId && step === node.index)?.strength;
}
