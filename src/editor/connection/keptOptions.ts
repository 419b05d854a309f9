/** The options that were chosen for a turn in place of the settings, for questions that follow it. Uses the current routes. */
import type { Turn } from '../../conversation/turn.ts';
import { toChosenOptions } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import { readSettings } from '../settings/settings.ts';
import type { Routes } from './routes.ts';

export const keptOptions = (
  { request: { chosen } }: Pick<Turn, 'request'>,
  routes: Pick<Routes, 'active'>,
): AttemptOptions => toChosenOptions(chosen, readSettings().routes, routes.active()?.route.name ?? '');
