/** A route while Add Route asks for it. */
import { parseEnteredAddress } from '../../service/address.ts';
import type { Route, RouteKind } from '../../service/types.ts';
import { routeNames } from '../settings/routeSettings.ts';
import { suggestRouteName } from './routeNames.ts';
import type { RouteTest } from './routeTest.ts';

export interface Draft {
  readonly kind: RouteKind;
  /** As the user entered it. */
  readonly address: string;
  readonly name: string;
  /** Empty when the user sets it later. */
  readonly key: string;
  /** Where the tested key was found, if none was entered. */
  readonly keyPlace?: string | undefined;
  readonly model: string;
  /** Undefined if the route was not tested. */
  readonly test: RouteTest | undefined;
}

export function toRoute({ name, kind, address, model }: Draft): Route {
  const parsed = parseEnteredAddress(address);
  // Not translated: only a programming error leads here.
  if (!parsed.ok) throw new Error('the address was checked when it was entered');
  return { name, kind, root: parsed.root, origin: parsed.origin, model };
}

/** A key is only for the origin for which it was entered, and a suggested name only for its address. */
export function withAddress(draft: Draft, address: string): Draft {
  const next = { ...draft, address };
  if (draft.address === '') return next;
  const before = toRoute(draft);
  return {
    ...next,
    name: draft.name === suggestRouteName(before.root, routeNames()) ? '' : draft.name,
    key: before.origin === toRoute(next).origin ? draft.key : '',
  };
}
