/** Remembers which problems of turns the user has dismissed, also in other windows and before a reload. */
import * as v from 'valibot';
import type { NoticeCode } from '../../conversation/outcomes/notices.ts';
import { tryDecode } from '../../validation/decode.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import type { GlobalState } from '../storage/globalState.ts';

const NAME = 'k3.dismissedProblems';
/** How many dismissed problems are kept, the last ones. */
const MOST = 500;

const keys = v.array(v.string());

export interface DismissedProblems {
  has(turnId: string, code: NoticeCode): boolean;
  add(turnId: string, code: NoticeCode): void;
}

export function createDismissedProblems(
  state: Pick<GlobalState, 'get' | 'update'>,
  log: Pick<Log, 'warn'>,
): DismissedProblems {
  /** The problems that were dismissed in this window, even if they can't be stored. */
  const here = new Set<string>();
  const stored = () => tryDecode(keys, state.get(NAME)) ?? [];
  return {
    has: (turnId, code) => here.has(keyOf(turnId, code)) || stored().includes(keyOf(turnId, code)),
    add(turnId, code) {
      const key = keyOf(turnId, code);
      here.add(key);
      if (stored().includes(key)) return;
      inBackground(log, state.update(NAME, [...stored(), key].slice(-MOST)), 'keeping a dismissed problem');
    },
  };
}

const keyOf = (turnId: string, code: NoticeCode) => `${turnId}/${code}`;
