/**
 * The choices of Ask Again With…: routes, efforts, and presets that the turn was not asked with, and what each route lacks
 * for the question.
 */
import * as vscode from 'vscode';
import { askedQuestion, withExchange } from '../../conversation/conversation.ts';
import { sentImagesOf } from '../../conversation/images/sentImages.ts';
import { canBeIgnored } from '../../conversation/outcomes/notices.ts';
import type { Question } from '../../conversation/question.ts';
import type { CheckId } from '../../probe/probe.ts';
import { toOptions, toPlaceHash } from '../../requests/chosenOptions.ts';
import type { AttemptOptions } from '../../requests/conversationRequest.ts';
import { responseFormatOf } from '../../requests/responseFormat.ts';
import type { ReasoningEffort, Route } from '../../service/types.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { joinSentences } from '../base/sentences.ts';
import { toPresetItem, usablePresets } from '../composer/presetPicker.ts';
import { keptOptions } from '../connection/keptOptions.ts';
import type { RouteProbes } from '../connection/routeProbes.ts';
import type { Routes } from '../connection/routes.ts';
import type { Conversations } from '../conversations/conversationList.ts';
import type { Found } from '../conversations/foundTurns.ts';
import { readSettings } from '../settings/settings.ts';
import { describeLack } from '../wording/probeWords.ts';
import { toRouteItem } from '../wording/routeWords.ts';

const t = vscode.l10n.t;

export interface AttemptChoicesDeps {
  readonly conversations: Pick<Conversations, 'toolboxOf'>;
  readonly routes: Pick<Routes, 'active'>;
  readonly probes: Pick<RouteProbes, 'lackOf' | 'works'>;
}

interface Choice extends vscode.QuickPickItem {
  readonly options?: AttemptOptions;
}

/** Undefined when the user chose nothing. */
export async function pickOptions(
  found: Found,
  deps: AttemptChoicesDeps,
): Promise<AttemptOptions | undefined> {
  const { Separator } = vscode.QuickPickItemKind;
  const routes = routeChoices(found, deps);
  const choices: readonly Choice[] = [
    ...(routes.length === 0 ? [] : [{ label: t('Route'), kind: Separator }]),
    ...routes,
    { label: t('Reasoning effort'), kind: Separator },
    ...effortChoices(found, deps),
    { label: t('Preset'), kind: Separator },
    ...presetChoices(found, deps),
  ];
  const picked = await vscode.window.showQuickPick(choices, {
    title: t('Ask Again With'),
    placeHolder: toNow(found),
    matchOnDescription: true,
  });
  return picked?.options;
}

/** The route, effort, and preset that the turn was asked with. The list leaves them out. */
function toNow({ exchange, turn }: Found): string {
  const { routeName, effort = t('default') } = turn.request;
  const preset = askedQuestion(exchange, turn).preset?.name;
  return preset === undefined
    ? t('Now: route “{0}”, effort {1}', routeName, effort)
    : t('Now: route “{0}”, effort {1}, preset “{2}”', routeName, effort, preset);
}

function routeChoices(found: Found, { routes: { active }, probes }: AttemptChoicesDeps): readonly Choice[] {
  const { request } = found.turn;
  const now = active();
  const insteadOf = now?.route.name ?? '';
  const instead = { insteadOf, ...(now && { insteadOfPlace: toPlaceHash(now.route) }) };
  const needed = neededOf(found);
  return readSettings()
    .routes.filter(({ name }) => name !== request.routeName)
    .map((route) => ({
      ...toRouteItem(route),
      ...detailOf(needed, route, probes),
      options: toOptions({
        route: { name: route.name, ...instead, place: toPlaceHash(route) },
        // The effort of the turn, so that only the route changes.
        effort: request.effort ?? 'default',
      }),
    }));
}

function effortChoices({ turn }: Found, { routes, probes }: AttemptChoicesDeps): readonly Choice[] {
  const efforts: readonly (ReasoningEffort | undefined)[] = [undefined, 'max', 'high', 'low'];
  const { effort: now } = turn.request;
  const { routeName } = keptOptions(turn, routes);
  const kept = readSettings().routes.find(({ name }) => name === routeName) ?? routes.active()?.route;
  const isUnsure = (effort: ReasoningEffort | undefined) =>
    canBeIgnored(effort) && !probes.works('effort', kept) && probes.lackOf('effort', kept) === undefined;
  const choices = efforts
    .filter((effort) => effort !== now)
    .map((effort) => ({
      effort,
      same: kept?.kind === 'direct' && !canBeIgnored(effort) && !canBeIgnored(now),
    }));
  // The first item is selected when the list opens, so it should be an effort that makes a difference.
  return [...choices.filter(({ same }) => !same), ...choices.filter(({ same }) => same)].map(
    ({ effort, same }) => ({
      label: effort ?? t('Default'),
      ...(same && { description: toSameWords(effort) }),
      ...(isUnsure(effort) && { description: t('accepted by the service, but may be ignored') }),
      ...(kept && canBeIgnored(effort) && detailOf(['effort'], kept, probes)),
      options: toOptions({ effort: effort ?? 'default' }),
    }),
  );
}

/** A direct route uses `max` unless the request sets another effort (Q15). */
const toSameWords = (effort: ReasoningEffort | undefined): string =>
  effort === undefined
    ? t('the same as max on a direct route')
    : t('the same as the default on a direct route');

function presetChoices(
  { conversation, exchange, turn }: Found,
  { conversations }: AttemptChoicesDeps,
): readonly Choice[] {
  const offered = conversations.toolboxOf(conversation.id)?.definitions ?? [];
  const asked = askedQuestion(exchange, turn).preset?.name;
  return [
    ...(asked === undefined ? [] : [{ label: t('No preset'), options: { preset: 'none' as const } }]),
    ...usablePresets()
      .filter(({ name }) => name !== asked)
      .map((preset) => ({ ...toPresetItem(preset, offered), options: { preset } })),
  ];
}

/** The features that another attempt of a turn needs and that a route can lack. */
function neededOf({ conversation, exchange, turn }: Found): readonly CheckId[] {
  const { question } = exchange;
  return [
    ...(question.purpose === undefined ? (['tools'] as const) : []),
    // Another attempt doesn't send the images that tools returned for this one.
    ...(sentImagesOf(withExchange(conversation, { ...exchange, attempts: [] }), exchange.id) === 'none'
      ? []
      : (['images'] as const)),
    ...formatOf(question),
    ...(canBeIgnored(turn.request.effort) ? (['effort'] as const) : []),
  ];
}

function formatOf(question: Question): readonly CheckId[] {
  switch (responseFormatOf(question)?.type) {
    case 'json_schema':
      return ['schema'];
    case 'json_object':
      return ['json'];
    default:
      return [];
  }
}

/** What a route lacks, in sentences. Without the field if nothing is known to be missing. */
function detailOf(
  checks: readonly CheckId[],
  route: Route,
  { lackOf }: Pick<RouteProbes, 'lackOf'>,
): { readonly detail?: string } {
  const lacks = checks.flatMap((check) => lackOf(check, route) ?? []);
  const detail = joinSentences(lacks.map(({ routeName, result }) => describeLack(routeName, result)));
  return detail === '' ? {} : { detail: withoutIcons(detail) };
}
