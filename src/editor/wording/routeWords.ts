import * as vscode from 'vscode';
import type { RouteKind } from '../../service/types.ts';

const t = vscode.l10n.t;

/** The kind of a route, in the display language. */
export const routeKindWord = (kind: RouteKind): string => (kind === 'direct' ? t('direct') : t('gateway'));

/** A route and its kind: `work (direct)`. */
export const routeText = (name: string, kind: RouteKind): string => t('{0} ({1})', name, routeKindWord(kind));
