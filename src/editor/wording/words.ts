/** All words about turns, for the reader and in the reader's language: kinds and figures become sentences here. */
import * as vscode from 'vscode';
import { costOf } from '../../chat/cost.ts';
import type { Notice } from '../../chat/notices.ts';
import type { CacheDrop } from '../../chat/prefix.ts';
import { isAsking, saidInAll, usageInAll } from '../../chat/rounds.ts';
import type { CallState, Outcome, Phase, Turn } from '../../chat/turn.ts';
import { CONTEXT_WINDOW_TOKENS, DEFAULT_MAX_COMPLETION_TOKENS, type Prices } from '../../service/limits.ts';
import { formatCost, formatTokens } from '../base/formats.ts';
import { describeFailure } from './failureWords.ts';

const t = vscode.l10n.t;

export function phaseLabel(phase: Phase): string {
  switch (phase) {
    case 'connecting':
      return t('Connecting');
    case 'first-byte':
      return t('Waiting for the service');
    case 'waiting':
      return t('Trying again soon');
    case 'reasoning':
      return t('Reasoning');
    case 'answering':
      return t('Answering');
    case 'calling':
      return t('Using tools');
    case 'ended':
      return t('Done');
  }
}

/** Where a turn is; when calls wait for the reader it says that, because nothing else goes on. */
export function turnPhaseLabel(turn: Pick<Turn, 'phase' | 'rounds'>): string {
  const waiting = waitingCalls(turn);
  if (turn.phase !== 'calling' || waiting === 0) return phaseLabel(turn.phase);
  return waiting === 1 ? t('Waiting for you') : t('Waiting for you ({0})', waiting);
}

export const waitingCalls = ({ rounds }: Pick<Turn, 'rounds'>): number =>
  rounds.at(-1)?.toolCalls.filter(({ state }) => state === 'waiting').length ?? 0;

export function callStateLabel(state: CallState): string {
  switch (state) {
    case 'waiting':
      return t('Waiting for you');
    case 'running':
      return t('Running');
    case 'done':
      return t('Done');
    case 'refused':
      return t('Refused');
    case 'stopped':
      return t('Stopped');
    case 'failed':
      return t('Failed');
    case 'not-run':
      return t('Not run');
  }
}

export function outcomeLabel(outcome: Outcome): string {
  switch (outcome) {
    case 'complete':
      return t('Complete');
    case 'truncated':
      return t('Cut off');
    case 'spent-on-reasoning':
      return t('Spent on reasoning');
    case 'empty':
      return t('Empty answer');
    case 'filtered':
      return t('Filtered');
    case 'interrupted':
      return t('Interrupted');
    case 'stalled':
      return t('Stalled');
    case 'stopped':
      return t('Stopped');
    case 'failed':
      return t('Failed');
  }
}

/** The one line that names what happened. */
export function noticeTitle(notice: Notice, turn: Turn): string {
  switch (notice.code) {
    case 'truncated':
      return t('The answer was cut off');
    case 'spent-on-reasoning':
      return t('The whole budget went into reasoning');
    case 'empty-answer':
      return t('Nothing was answered');
    case 'filtered':
      return t('Refused by the content filter');
    case 'interrupted':
      return t('The answer was interrupted');
    case 'stalled':
      return t('The service fell silent');
    case 'failed':
      return turn.failure === undefined
        ? t('The request failed')
        : describeFailure(turn.failure, turn.request).title;
    case 'model-substituted':
      return t('Another model answered');
    case 'usage-missing':
      return t('Usage not reported');
    case 'effort-ignored':
      return t('The effort may have been ignored');
    case 'budget-clamped':
      return t('The output budget was lowered to the ceiling');
    case 'damaged-events':
      return t('Part of the stream could not be read');
    case 'unknown-finish':
      return t('An unknown finish reason');
    case 'rounds-spent':
      return t('Stopped after {0} rounds of tool calls', turn.rounds.length - 1);
    case 'calls-not-run':
      return t('Tool calls were not run');
    case 'format-mismatch':
      return t('The answer does not have the form that was asked for');
    case 'cache-dropped':
      return t('Less of the prompt was cached than before');
  }
}

/** What there is to know beyond the title, a sentence or two each. */
export function noticeBody(notice: Notice, turn: Turn, prices: Prices): readonly string[] {
  switch (notice.code) {
    case 'truncated':
      return [truncatedLine(turn)];
    case 'spent-on-reasoning':
      return [spentLine(turn), billedLine(turn, prices)];
    case 'empty-answer':
      return [
        t('The service ended normally, with no answer text and no tool call.'),
        billedLine(turn, prices),
      ];
    case 'filtered':
      return [t('The service’s content filter ended this turn. Asking in other words may help.')];
    case 'interrupted':
      return [interruptedLine(turn)];
    case 'stalled':
    case 'failed':
      return turn.failure === undefined ? [] : describeFailure(turn.failure, turn.request).body;
    case 'model-substituted':
      return [
        t(
          'Asked for {0}; the answer names {1}. A gateway can do this without a word.',
          turn.request.model,
          otherModel(turn) ?? '?',
        ),
      ];
    case 'usage-missing':
      return [
        t(
          'The stream ended without token counts, so tokens and cost of this turn are not known. They are not zero.',
        ),
      ];
    case 'rounds-spent':
      return [t('The model asked for more calls, which were not run. What it has done so far is kept.')];
    case 'calls-not-run':
      return [
        t(
          'The service ended with “{0}” and not with “tool_calls”, so nothing says that the calls are whole.',
          turn.finishReason ?? '',
        ),
      ];
    case 'effort-ignored':
      return [effortLine(turn)];
    case 'budget-clamped':
      return [
        t(
          'The setting k3.maxCompletionTokens asks for {0} tokens; the service’s ceiling is {1}, which is what was sent.',
          formatTokens(turn.request.clampedFrom ?? 0),
          formatTokens(CONTEXT_WINDOW_TOKENS),
        ),
      ];
    case 'damaged-events':
      return [
        t('{0} events were no valid JSON and were skipped; the text may have gaps.', turn.damagedEvents),
      ];
    case 'unknown-finish':
      return [
        t(
          'The service ended with “{0}”, which is not documented. The text is shown as it came.',
          turn.finishReason ?? '',
        ),
      ];
    case 'format-mismatch':
      return [t('A form can be ignored without a word. The errors stand at the answer, in the chat.')];
    case 'cache-dropped':
      return [cacheLine(notice.drop)];
  }
}

function budgetOf(turn: Turn): string {
  return formatTokens(turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS);
}

function otherModel(turn: Turn): string | undefined {
  const models = saidInAll(turn).map(({ responseModel }) => responseModel);
  return models.find((model) => model !== undefined && model !== turn.request.model);
}

/** A service can cut an answer off long before the budget that was asked for. */
function truncatedLine(turn: Turn): string {
  const budget = turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS;
  const used = turn.usage?.completionTokens;
  return used !== undefined && used < budget * 0.9
    ? t(
        'The service cut the answer off after {0} tokens of output, below the budget of {1}. What had arrived is kept.',
        formatTokens(used),
        budgetOf(turn),
      )
    : t(
        'The output budget of {0} tokens ran out in the middle of the answer. What had arrived is kept.',
        budgetOf(turn),
      );
}

function spentLine(turn: Turn): string {
  const tokens = turn.usage?.reasoningTokens ?? turn.usage?.completionTokens;
  if (tokens === undefined)
    return t('Reasoning used up the output budget of {0} tokens before an answer began.', budgetOf(turn));
  const budget = turn.request.maxCompletionTokens ?? DEFAULT_MAX_COMPLETION_TOKENS;
  return tokens < budget * 0.9
    ? t(
        '{0} tokens went into reasoning, and the service stopped there, below the budget of {1}; there is no answer.',
        formatTokens(tokens),
        budgetOf(turn),
      )
    : t(
        '{0} tokens went into reasoning, of a budget of {1}; none were left for the answer.',
        formatTokens(tokens),
        budgetOf(turn),
      );
}

function billedLine(turn: Turn, prices: Prices): string {
  if (turn.request.demo === true) return t('Nothing was billed: this is the demo.');
  const usage = usageInAll(turn);
  const cost = costOf(turn, prices);
  return cost === undefined
    ? t('What was billed was not reported.')
    : t(
        'Billed all the same: {0} tokens, about {1}.',
        formatTokens(usage?.totalTokens ?? 0),
        formatCost(cost),
      );
}

function interruptedLine(turn: Turn): string {
  const lost = turn.failure?.kind === 'connection-lost';
  if (lost)
    return t('The connection broke in the middle. What had arrived is kept; it may have been billed.');
  if (!isAsking(turn)) return t('The window was closed while tools were called. What had arrived is kept.');
  return t(
    'The stream ended without a finish reason, so the answer is probably not whole. What had arrived is kept.',
  );
}

function effortLine(turn: Turn): string {
  const tokens = usageInAll(turn)?.reasoningTokens;
  const effort = turn.request.effort ?? '';
  return tokens === undefined
    ? t('Effort “{0}” is accepted and may be ignored without a word.', effort)
    : t(
        'Effort “{0}” is accepted and may be ignored without a word. This turn reasoned for {1} tokens.',
        effort,
        formatTokens(tokens),
      );
}

function cacheLine(drop: CacheDrop): string {
  const figures = t(
    '{0} of about {1} tokens came from the cache.',
    formatTokens(drop.cachedTokens),
    formatTokens(drop.expectedTokens),
  );
  return `${figures} ${changedLine(drop)}`;
}

function changedLine(drop: CacheDrop): string {
  switch (drop.changed) {
    case 'nothing':
      return t('The beginning of the request did not change; the service no longer had it.');
    case 'model':
      return t('The model changed.');
    case 'system':
      return t('The system prompt changed.');
    case 'tools':
      return t('The list of tools changed.');
    case 'message':
      return t('Message {0} of the conversation changed.', drop.message ?? 0);
  }
}
