/** Add Route: asks for the kind, address, name, and key of a route, and tests them. Nothing is saved before the last step. */
import * as vscode from 'vscode';
import { isUnencrypted } from '../../service/address.ts';
import { parseKey } from '../../service/apiKey.ts';
import { DEFAULT_MODEL } from '../../service/limits.ts';
import type { RouteKind } from '../../service/types.ts';
import { inBackground } from '../base/background.ts';
import { withSignal } from '../base/cancellation.ts';
import { askChoice, askInSteps, askText, BACK, type DialogStep, type StepEnd } from '../base/dialogSteps.ts';
import type { Log } from '../base/log.ts';
import { type OfferedCommand, offerCommands, showInformation } from '../base/notifications.ts';
import { withoutIcons } from '../base/quickPicks.ts';
import { joinSentences } from '../base/sentences.ts';
import type { Walkthrough } from '../base/walkthrough.ts';
import { hasRoute, routeNames, writeActiveRoute, writeRoute } from '../settings/routeSettings.ts';
import { readSettings } from '../settings/settings.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { isOfKey } from '../wording/pageWords.ts';
import { confirmUnencrypted, keyPlaceOf, keyProblem, keyPrompt, saveKey } from './keyInput.ts';
import type { Keys } from './keys.ts';
import { checkAddress, checkName } from './routeChecks.ts';
import { type Draft, toRoute, withAddress } from './routeDraft.ts';
import { suggestRouteName } from './routeNames.ts';
import { type RouteTest, testRoute } from './routeTest.ts';
import type { Transports } from './transports.ts';

const t = vscode.l10n.t;

export interface AddRouteDeps {
  readonly keys: Keys;
  readonly transports: Pick<Transports, 'for'>;
  readonly walkthrough: Pick<Walkthrough, 'done'>;
  readonly log: Pick<Log, 'warn'>;
}

const STEPS = 4;
const ADDRESS = 1;
const NAME = 2;
const KEY = 3;
const TEST = 4;

/** Returns whether a route was added. */
export async function addRoute(deps: AddRouteDeps): Promise<boolean> {
  const initial: Draft = {
    kind: 'direct',
    address: '',
    name: '',
    key: '',
    model: DEFAULT_MODEL,
    test: undefined,
  };
  const steps = [askKind, askAddress, askName, askKey, (draft: Draft) => test(deps, draft), checkFree];
  const draft = await askInSteps(steps, initial);
  if (draft === undefined) return false;
  const route = toRoute(draft);
  const model = draft.model === DEFAULT_MODEL ? {} : { model: draft.model };
  // Written first: if the settings can't be written, no key is left behind.
  await writeRoute(draft.name, { kind: draft.kind, baseUrl: route.root, ...model });
  // If the key isn't saved, the user is told, and can set it later.
  const isSaved = draft.key !== '' && (await saveKey(deps.keys, route, draft.key));
  await writeActiveRoute(draft.name);
  if (isSaved || isAccepted(draft)) deps.walkthrough.done('key');
  // Not awaited: the route is added, and the caller of the command can go on.
  const check: OfferedCommand = [t('Check Connection'), 'k3.checkConnection', draft.name];
  const offering = offerCommands(showInformation, addedMessage(draft), check);
  inBackground(deps.log, offering, 'offering to check the connection');
  return true;
}

/** Whether the service has accepted the API key. */
const isAccepted = ({ test: tested }: Pick<Draft, 'test'>) =>
  tested?.result === 'works' || tested?.result === 'other-models';

function addedMessage({ name, model, keyPlace, test: tested }: Draft): string {
  const accepted =
    keyPlace === undefined
      ? t('The service accepted the API key, which can use {0}.', model)
      : t('The service accepted the API key (found in: {0}), which can use {1}.', keyPlace, model);
  const added = t('Route “{0}” was added and is now active.', name);
  return isAccepted({ test: tested }) ? joinSentences([added, accepted]) : added;
}

/** Asks for another name if another window has added a route of this name in the meantime: that route and its key would be replaced. */
const checkFree: DialogStep<Draft> = async (draft) =>
  hasRoute(draft.name) ? { draft, goTo: NAME } : { draft };

const titleOf = (number: number, what: string) => t('Add Route ({0} of {1}): {2}', number + 1, STEPS, what);

const askKind: DialogStep<Draft> = async (draft, number) => {
  const items: (vscode.QuickPickItem & { readonly routeKind: RouteKind })[] = [
    { label: t('Direct'), description: t('the provider’s own address'), routeKind: 'direct' },
    { label: t('Gateway'), description: t('an address that forwards requests'), routeKind: 'gateway' },
  ];
  const picked = await askChoice({ title: titleOf(number, t('Kind')), items, canGoBack: false });
  return picked === undefined || picked === BACK
    ? undefined
    : { draft: { ...draft, kind: picked.routeKind } };
};

const askAddress: DialogStep<Draft> = async (draft, number) => {
  const address = await askText({
    title: titleOf(number, t('Address')),
    prompt: t('The base URL of the service, with or without /v1'),
    placeholder: 'https://host/v1',
    value: draft.address,
    canGoBack: true,
    check: checkAddress,
  });
  return answered(address, (text) => withAddress(draft, text));
};

const askName: DialogStep<Draft> = async (draft, number) => {
  const name = await askText({
    title: titleOf(number, t('Name')),
    prompt: t('The name of the route in the status bar and in k3.routes'),
    value: draft.name === '' ? suggestRouteName(toRoute(draft).root, routeNames()) : draft.name,
    canGoBack: true,
    check: (text) => checkName(text, routeNames()),
  });
  return answered(name, (text) => ({ ...draft, name: text.trim() }));
};

const askKey: DialogStep<Draft> = async (draft, number) => {
  const { origin } = toRoute(draft);
  const key = await askText({
    title: titleOf(number, t('API Key')),
    prompt: keyPrompt(origin),
    placeholder: t('Leave empty to set it later'),
    value: draft.key,
    password: true,
    canGoBack: true,
    check: (text) => (parseKey(text) === undefined ? keyProblem() : undefined),
  });
  if (key === undefined || key === BACK) return key;
  const parsed = parseKey(key) ?? '';
  if (parsed !== '' && isUnencrypted(origin) && !(await confirmUnencrypted(origin)))
    return { draft, goTo: ADDRESS };
  return { draft: { ...draft, key: parsed } };
};

/** Tests the route with the entered key, or with the key that is already stored for it. */
async function test(deps: AddRouteDeps, entered: Draft): Promise<StepEnd<Draft>> {
  const route = toRoute(entered);
  const known = entered.key === '' ? await deps.keys.find(route) : undefined;
  if (known?.found === false) return { draft: { ...entered, test: undefined, keyPlace: undefined } };
  const draft = { ...entered, keyPlace: known && keyPlaceOf(known.source, route) };
  const tested = await withProgress(route.name, async (signal) => {
    const transport = await deps.transports.for(route);
    return testRoute({ transport, limits: readSettings().limits }, route, known?.key ?? draft.key, signal);
  });
  if (tested === 'cancelled') return BACK;
  if (tested.result === 'failed') return askAfterFailure(draft, tested);
  if (tested.result === 'other-models') return askModel(draft, tested);
  return { draft: { ...draft, test: tested } };
}

async function withProgress(
  name: string,
  run: (signal: AbortSignal) => Promise<RouteTest>,
): Promise<RouteTest | 'cancelled'> {
  const options = {
    location: vscode.ProgressLocation.Notification,
    title: t('Testing route “{0}”', name),
    cancellable: true,
  };
  return vscode.window.withProgress(options, (_, token) =>
    withSignal(token, async (signal) => {
      try {
        return await run(signal);
      } catch (error) {
        if (signal.aborted) return 'cancelled';
        throw error;
      }
    }),
  );
}

async function askAfterFailure(
  draft: Draft,
  tested: Extract<RouteTest, { result: 'failed' }>,
): Promise<StepEnd<Draft>> {
  const { failure } = tested;
  const { title } = describeFailure(failure, {
    routeName: draft.name,
    routeKind: draft.kind,
    model: draft.model,
  });
  const change: Choice = isOfKey(failure)
    ? { label: t('Enter Another API Key'), end: { draft: { ...draft, key: '' }, goTo: KEY } }
    : { label: t('Change the Address'), end: { draft, goTo: ADDRESS } };
  const picked = await askChoice<Choice>({
    title: t('Add Route: {0}', title),
    placeholder: failure.details.serviceMessage ?? t('Nothing has been saved yet.'),
    items: [
      change,
      { label: t('Try Again'), end: { draft, goTo: TEST } },
      { label: t('Add Route Anyway'), end: { draft: { ...draft, test: tested } } },
    ],
    canGoBack: true,
  });
  return picked === undefined || picked === BACK ? picked : picked.end;
}

async function askModel(
  draft: Draft,
  tested: Extract<RouteTest, { result: 'other-models' }>,
): Promise<StepEnd<Draft>> {
  const picked = await askChoice<Choice>({
    title: t('Add Route: {0} is not listed for this API key', draft.model),
    placeholder: t('Select the name that this service uses for svc-k3'),
    items: [
      ...tested.models.map((model) => choice(model, { ...draft, model, test: tested })),
      choice(t('Use {0} Anyway', draft.model), { ...draft, test: { result: 'unknown' } }),
    ],
    canGoBack: true,
  });
  return picked === undefined || picked === BACK ? picked : picked.end;
}

interface Choice extends vscode.QuickPickItem {
  readonly end: StepEnd<Draft>;
}

const choice = (label: string, draft: Draft): Choice => ({ label: withoutIcons(label), end: { draft } });

function answered(text: string | typeof BACK | undefined, change: (text: string) => Draft): StepEnd<Draft> {
  return text === undefined || text === BACK ? text : { draft: change(text) };
}
