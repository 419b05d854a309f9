/** Why a question was not sent. Nothing here is worded: `editor/wording` does that. */
import type { UnsupportedData } from '../chat/otherMessages.ts';
import type { AddressProblem } from '../service/address.ts';
import type { RequestProblem } from '../service/request.ts';
import type { Route } from '../service/types.ts';
import type { Spending } from './spending.ts';

/** Why there is no key for a route. */
export type KeyAbsence =
  | 'none'
  /** One was saved for this route's name when its address was another; it goes to no other origin. */
  | 'other-origin'
  /** One was saved and the store has lost it: there is no keyring, or it could not be decrypted. */
  | 'lost';

/** What is wrong with a setting, by its full name, so that the message can point at it. */
export interface SettingProblem {
  readonly setting: string;
  readonly problem:
    | AddressProblem
    | 'not-an-object'
    | 'unknown-kind'
    | 'not-a-positive-integer'
    | 'not-a-number'
    | 'not-above-zero'
    | 'not-text'
    | 'not-yes-or-no'
    | 'none-of-the-choices'
    | 'unknown-route';
  readonly value: string;
}

/** Why nothing was sent. What the user wrote is kept where it is. */
export type Refusal =
  | { readonly kind: 'no-route' }
  | { readonly kind: 'setting'; readonly problem: SettingProblem }
  | { readonly kind: 'no-key'; readonly route: Route; readonly why: KeyAbsence }
  | { readonly kind: 'running' }
  /** The conversation was deleted while a panel still showed it. */
  | { readonly kind: 'gone' }
  /** The conversation runs in another window, which calls itself so. */
  | { readonly kind: 'elsewhere'; readonly place: string }
  | { readonly kind: 'request'; readonly problem: RequestProblem }
  /** Data of another chat that the service does not take. */
  | ({ readonly kind: 'unsupported' } & UnsupportedData)
  /** This request would go past what may be spent today, and the user did not agree to it. */
  | ({ readonly kind: 'over-cap' } & Spending)
  | { readonly kind: 'transport'; readonly message: string };

export type Refused = { readonly ok: false; readonly refusal: Refusal };

export const refuse = (refusal: Refusal): Refused => ({ ok: false, refusal });
