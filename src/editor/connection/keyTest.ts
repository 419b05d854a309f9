/** Tests a saved API key: requests the models that it may use (M1), which costs nothing. */
import * as vscode from 'vscode';
import { withoutUserInfo } from '../../service/address.ts';
import { messageOf } from '../../service/errorMessage.ts';
import type { Route } from '../../service/types.ts';
import { inBackground } from '../base/background.ts';
import type { Log } from '../base/log.ts';
import { type OfferedCommand, offerCommands, showInformation, showWarning } from '../base/notifications.ts';
import { joinSentences, toSentence } from '../base/sentences.ts';
import { readSettings } from '../settings/settings.ts';
import { describeFailure } from '../wording/failureWords.ts';
import { isOfKey } from '../wording/pageWords.ts';
import { describeRefusal } from '../wording/refusalWords.ts';
import { setKey } from './keyInput.ts';
import type { Keys } from './keys.ts';
import { type RouteTest, testRoute } from './routeTest.ts';
import type { Transports } from './transports.ts';

const t = vscode.l10n.t;

export interface KeyTestDeps {
  readonly keys: Keys;
  readonly transports: Pick<Transports, 'for'>;
  readonly log: Pick<Log, 'warn'>;
}

/** Asks for the key of a route, saves it, and tests it in the background. Returns whether a key was saved. */
export async function setTestedKey(deps: KeyTestDeps, route: Route): Promise<boolean> {
  const isSet = await setKey(deps.keys, route);
  if (isSet) inBackground(deps.log, testSavedKey(deps, route), 'testing an API key');
  return isSet;
}

/** Sends the key only to the address for which it was saved. Shows no result if the key has changed in the meantime. */
async function testSavedKey({ keys, transports }: KeyTestDeps, route: Route): Promise<void> {
  const saved = await keys.find(route);
  if (!saved.found || saved.source !== 'stored') return;
  const { key } = saved;
  const options = { location: vscode.ProgressLocation.Window, title: t('Testing API key') };
  const tested = await vscode.window.withProgress(options, async () => {
    // The network settings of the route may be wrong.
    const transport = await transports
      .for(route)
      .catch((error: unknown) => withoutUserInfo(messageOf(error)));
    if (typeof transport === 'string') return transport;
    const { signal } = new AbortController();
    return testRoute({ transport, limits: readSettings().limits }, route, key, signal);
  });
  const now = await keys.find(route);
  if (!now.found || now.key !== key) return;
  await tell(route, tested);
}

/** @param tested the result; a string if the key could not be tested, with the reason */
async function tell(route: Route, tested: RouteTest | string): Promise<void> {
  const { name } = route;
  const check: OfferedCommand = [t('Check Connection'), 'k3.checkConnection', name];
  if (typeof tested === 'string') {
    const why = describeRefusal({ kind: 'transport', message: tested });
    return offerCommands(showWarning, joinSentences([toFailedTest(name), why]));
  }
  switch (tested.result) {
    case 'works':
      // A notification without buttons is cut off after one line, so the most important part comes first.
      return offerCommands(
        showInformation,
        t('The service accepted the API key for route “{0}”. The key is saved.', name),
      );
    case 'other-models':
      return offerCommands(
        showInformation,
        t(
          'The API key for route “{0}” was saved, and the service accepted it, but doesn’t list {1} for it.',
          name,
          route.model,
        ),
        check,
      );
    case 'unknown':
      return offerCommands(
        showInformation,
        t(
          'The API key for route “{0}” was saved, but not tested, because the service doesn’t list its models.',
          name,
        ),
        check,
      );
    case 'failed':
      return offerCommands(
        showWarning,
        describeFailed(route, tested),
        isOfKey(tested.failure) ? [t('Set API Key…'), 'k3.setKey', name] : check,
      );
  }
}

type Failed = Extract<RouteTest, { result: 'failed' }>;

function describeFailed({ name, kind, model }: Route, { failure }: Failed): string {
  const { title, body } = describeFailure(failure, { routeName: name, routeKind: kind, model });
  return joinSentences([toFailedTest(name), toSentence(title), ...body]);
}

const toFailedTest = (name: string): string =>
  t('The API key for route “{0}” was saved, but its test failed.', name);
