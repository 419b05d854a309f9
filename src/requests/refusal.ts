/** Why a question was not sent. `editor/wording` has the texts for the user. */
import type { UnsupportedData } from '../conversation/otherChats/otherMessages.ts';
import type { AddressProblem } from '../service/address.ts';
import type { RequestProblem } from '../service/request.ts';
import type { Route } from '../service/types.ts';
import type { Spending } from '../spending/dailyCap.ts';

/** Why there is no key for a route. */
export type KeyAbsence =
  | 'none'
  /** A key was saved for this route, but for another origin, to which it stays bound. */
  | 'other-origin'
  /** A key was saved, but can't be read: there is no keyring, or it could not be decrypted. */
  | 'lost'
  /** The secret storage fails, so it is unknown whether it has a key. */
  | 'unreadable'
  /** The environment has a key, but with characters that can't be sent. */
  | 'malformed'
  /** The environment has a key, but it would be sent to another machine without encryption. */
  | 'unencrypted'
  /** The environment has a key, but the user has not allowed sending it to this origin. */
  | 'unconfirmed';

/** What is wrong with a setting, with its full name for the message. */
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
    | 'unknown-route'
    | 'unknown-preset'
    | 'unknown-field'
    | 'not-a-list-of-text'
    | 'relative-path'
    | 'no-folder';
  readonly value: string;
  /** The value is a text instead of a number or a boolean: “true” would be mistaken for true. */
  readonly isText?: true;
}

/** The wrong value of a setting, for its problem. */
export const toWrongValue = (value: unknown): Pick<SettingProblem, 'value' | 'isText'> => ({
  value: String(value),
  ...(typeof value === 'string' && { isText: true }),
});

/** Why nothing was sent. The user's text is kept. */
export type Refusal =
  | { readonly kind: 'no-route' }
  /** The route that was chosen for this question is gone. `active` is the name of the active one, if there is one. */
  | { readonly kind: 'no-such-route'; readonly routeName: string; readonly active: string | undefined }
  | { readonly kind: 'setting'; readonly problem: SettingProblem }
  | { readonly kind: 'no-key'; readonly route: Route; readonly why: KeyAbsence }
  | { readonly kind: 'running' }
  /** The conversation was deleted while a panel still showed it. */
  | { readonly kind: 'gone' }
  /** The conversation can't be read at the moment. */
  | { readonly kind: 'unread' }
  /** The conversation runs in another window; `place` is the name of that window. */
  | { readonly kind: 'elsewhere'; readonly place: string }
  /** Another window wrote to the conversation while the request was being prepared. */
  | { readonly kind: 'changed' }
  /** The route drops images, and the user didn't want to send them anyway. */
  | { readonly kind: 'images-dropped'; readonly routeName: string }
  | { readonly kind: 'request'; readonly problem: RequestProblem }
  /** The messages of another chat have data that the service doesn't accept. */
  | ({ readonly kind: 'unsupported' } & UnsupportedData)
  /** The request would exceed the daily cap, and the user did not approve it. */
  | ({ readonly kind: 'over-cap' } & Spending)
  /** The request was stopped before it was sent. */
  | { readonly kind: 'stopped' }
  | { readonly kind: 'transport'; readonly message: string };

export type Refused = { readonly ok: false; readonly refusal: Refusal };

export const refuse = (refusal: Refusal): Refused => ({ ok: false, refusal });
