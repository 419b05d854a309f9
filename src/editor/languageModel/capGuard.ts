/** The cap of the day for requests that are not asked in a panel of ours. */
import * as vscode from 'vscode';
import type { Refusal } from '../../turns/refusal.ts';
import type { Settings } from '../base/settings.ts';
import { describeRefusal } from '../wording/refusalWords.ts';

const t = vscode.l10n.t;

export interface CapGuard {
  /**
   * Asks the reader before a request goes past the cap of the day. Who agrees gives room for as much again: a tool
   * loop makes many requests, and one question each would be no question any more.
   *
   * @param promptTokens of the request, estimated
   * @returns why the request is not sent; undefined when it may be
   */
  check(settings: Pick<Settings, 'dailyCap' | 'prices'>, promptTokens: number): Promise<Refusal | undefined>;
}

export function createCapGuard(spentToday: () => number): CapGuard {
  let agreed = { day: '', upTo: 0 };
  return {
    async check({ dailyCap, prices }, promptTokens) {
      if (dailyCap === undefined) return undefined;
      const day = new Date().toDateString();
      const cap = agreed.day === day ? Math.max(dailyCap, agreed.upTo) : dailyCap;
      const spent = spentToday();
      const inputCost = (promptTokens * prices.input) / 1_000_000;
      if (spent + inputCost <= cap) return undefined;
      const refusal: Refusal = { kind: 'over-cap', cap, spent, inputCost };
      const send = t('Send Anyway');
      const chosen = await vscode.window.showWarningMessage(
        t('Another chat is sending a request to svc-k3. Exceed the daily cap?'),
        { modal: true, detail: describeRefusal(refusal) },
        send,
      );
      if (chosen !== send) return refusal;
      agreed = { day, upTo: spent + inputCost + dailyCap };
      return undefined;
    },
  };
}
