/** Messages for requests that were not sent. They name the setting or field, and the next step. */
import * as vscode from 'vscode';
import type { Refusal, SettingProblem } from '../../requests/refusal.ts';
import { environmentVariableFor, withoutCredentials } from '../../service/address.ts';
import { MAX_TOOLS } from '../../service/limits.ts';
import type { RequestProblem } from '../../service/request.ts';
import type { Route } from '../../service/types.ts';
import { withoutLinks } from '../base/notifications.ts';
import { plural } from '../base/plural.ts';
import { joinSentences } from '../base/sentences.ts';
import { describeExcess } from './spendingWords.ts';

const t = vscode.l10n.t;

/** Why nothing was sent, and the next step. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'no-route':
      return t('There is no route yet. Add a route or try the demo.');
    case 'no-such-route':
      return describeGoneRoute(refusal);
    case 'setting':
      return describeSettingProblem(refusal.problem);
    case 'no-key':
      return describeKeyAbsence(refusal);
    case 'running':
      return t('An answer is still running. Wait for it or stop it first.');
    case 'gone':
      return t(
        'This conversation was deleted, so nothing was sent. Undo the deletion or start a new conversation.',
      );
    case 'unread':
      return t('The conversation can’t be read now. Try again later.');
    case 'elsewhere':
      return t(
        'Another window ({0}) is answering in this conversation. You can read it here and continue when the answer is complete.',
        withoutLinks(refusal.place),
      );
    case 'changed':
      return t('Another window changed this conversation. Nothing was sent. Ask again.');
    case 'images-dropped':
      return t(
        'Route “{0}” doesn’t accept images, so nothing was sent. Switch the route, or ask without the images.',
        refusal.routeName,
      );
    case 'unsupported':
      return t(
        'svc-k3 accepts text and images (PNG, JPEG, GIF, WebP), not {0}. Nothing was sent. Remove it from the question.',
        refusal.found ?? refusal.mime,
      );
    case 'over-cap':
      return joinSentences([
        describeExcess(refusal),
        t('Nothing was sent. Raise k3.dailyCap in the settings, or send again and confirm.'),
      ]);
    case 'stopped':
      return t('The request was stopped before it was sent.');
    case 'request':
      return describeRequestProblem(refusal.problem);
    case 'transport':
      return t('Couldn’t create the request: {0}', refusal.message);
  }
}

function describeGoneRoute({ routeName, active }: Extract<Refusal, { kind: 'no-such-route' }>): string {
  return active === undefined
    ? t(
        'Route “{0}” isn’t in k3.routes anymore, so nothing was sent. Run “K3: Switch Route…” and ask again.',
        routeName,
      )
    : t(
        'Route “{0}” isn’t in k3.routes anymore, so nothing was sent. The active route is “{1}”.',
        routeName,
        active,
      );
}

/** A sentence that a saved key no longer exists, and why. */
export const describeLostKey = (route: Route): string =>
  t(
    'The saved API key for route “{0}” is no longer in the editor’s secret storage. Without a system keyring, keys are kept only until the window is reloaded or closed.',
    route.name,
  );

function describeKeyAbsence({ route, why }: Extract<Refusal, { kind: 'no-key' }>): string {
  switch (why) {
    case 'none':
      return t(
        'Route “{0}” has no API key. Run “K3: Set API Key…” or set the environment variable {1}.',
        route.name,
        environmentVariableFor(route),
      );
    case 'other-origin':
      return t(
        'The API key for route “{0}” belongs to another address and is not sent to {1}. To set a key for this address, run “K3: Set API Key…”.',
        route.name,
        route.origin,
      );
    case 'lost':
      return joinSentences([
        describeLostKey(route),
        describeKeyAbsence({ kind: 'no-key', route, why: 'none' }),
      ]);
    case 'unreadable':
      return t(
        'The editor’s secret storage can’t be read, so there is no API key for route “{0}”. Unlock the system keyring and ask again, or set the environment variable {1}.',
        route.name,
        environmentVariableFor(route),
      );
    case 'malformed':
      return t(
        'The API key in {0} has spaces, line breaks, or characters other than ASCII, so it was not sent. Correct the environment variable and restart the editor, or run “K3: Set API Key…”.',
        environmentVariableFor(route),
      );
    case 'unencrypted':
      return t(
        'The API key in {0} is not sent to {1}, because unencrypted HTTP to another machine can be intercepted. Use an https:// address or run “K3: Set API Key…”.',
        environmentVariableFor(route),
        route.origin,
      );
    case 'unconfirmed':
      return t(
        'The API key in {0} was not sent to {1}. Ask again and select Send Key, or run “K3: Set API Key…”.',
        environmentVariableFor(route),
        route.origin,
      );
  }
}

export function describeSettingProblem({ setting, problem, value: given, isText }: SettingProblem): string {
  // A refused address can contain a password, and another user name than the one that the message is about.
  const shown = given === String({}) ? '{…}' : given;
  const value = /(baseUrl|proxy)$/.test(setting) ? withoutCredentials(shown) : shown;
  const wrong = isText ? t('“{0}”', value) : value;
  switch (problem) {
    case 'empty':
      return t('{0} is empty. Enter the address of the service, for example https://host/v1.', setting);
    case 'not-an-address':
      return t('{0}: “{1}” is not a valid address. Use a form like https://host/v1.', setting, value);
    case 'scheme':
      return t('{0}: “{1}” must start with https:// (or http:// on this machine).', setting, value);
    case 'user-info':
      return t(
        '{0} contains a user name or password. Remove them. To set an API key, run “K3: Set API Key…”.',
        setting,
      );
    case 'query':
      return t('{0}: “{1}” has a query or fragment. Use only a scheme, host, and path.', setting, value);
    case 'unknown-kind':
      return t('{0} must be “direct” or “gateway”, not “{1}”.', setting, value);
    case 'not-a-positive-integer':
      return t('{0} must be a whole number greater than 0, or null, not {1}.', setting, wrong);
    case 'not-a-number':
      return t('{0} must be a number of 0 or more, not {1}.', setting, wrong);
    case 'not-above-zero':
      return t('{0} must be a number greater than 0, not {1}.', setting, wrong);
    case 'not-text':
      return t('{0} must be a string, not {1}.', setting, value);
    case 'not-yes-or-no':
      return t('{0} must be true or false, not {1}.', setting, wrong);
    case 'none-of-the-choices':
      return t(
        '{0}: “{1}” is not a valid value. The valid values are listed in the settings editor.',
        setting,
        value,
      );
    case 'unknown-route':
      if (value === '')
        return t('{0} is empty, and k3.routes has several routes. Run “K3: Switch Route…”.', setting);
      return t(
        '{0} is “{1}”, but k3.routes has no route with that name. Run “K3: Switch Route…”.',
        setting,
        value,
      );
    case 'unknown-preset':
      return t('{0} has no preset “{1}”. Run “K3: Choose Preset…”.', setting, value);
    case 'unknown-field':
      return t('{0} is not a field of a preset. The fields are listed in the settings editor.', setting);
    case 'not-a-list-of-text':
      return t('{0} must be a list of strings.', setting);
    case 'not-an-object':
      return t('{0} must be an object.', setting);
    case 'relative-path':
      return t(
        '{0}: “{1}” is a relative path. Use an absolute path, or one that begins with ~/.',
        setting,
        value,
      );
    case 'no-folder':
      return t(
        '{0}: The folder “{1}” doesn’t exist or can’t be read. Create it, or correct the path.',
        setting,
        value,
      );
  }
}

function describeRequestProblem(problem: RequestProblem): string {
  switch (problem.reason) {
    case 'nothing-asked':
      return t('There is nothing to send. Enter a question.');
    case 'public-address':
      return t(
        'The image {0} is at a public address, which the service doesn’t accept. Attach the file instead.',
        problem.value,
      );
    case 'not-an-image':
      return t(
        '“{0}” is not a supported image. The service accepts PNG, JPEG, GIF, and WebP.',
        problem.value,
      );
    case 'too-many':
      return plural(
        t(
          '{0, plural, one {# tool is selected, but the service accepts at most {1}. Run “K3: Choose Tools…” and clear some.} other {# tools are selected, but the service accepts at most {1}. Run “K3: Choose Tools…” and clear some.}}',
        ),
        problem.count,
        MAX_TOOLS,
      );
    case 'same-name':
      return t('Two tools have the name “{0}”. Run “K3: Choose Tools…” and clear one.', problem.value);
    case 'not-a-positive-integer':
      return t('k3.maxCompletionTokens must be a whole number greater than 0.');
    case 'unknown':
      return t('k3.reasoningEffort must be low, high, or max, not “{0}”.', problem.value);
    case 'empty-beside-calls':
      return t(
        'A message with tool calls has empty text, which the service rejects. Please report this issue.',
      );
    case 'unanswered-or-unknown':
      return t(
        'The tool call {0} has no result, so the conversation can’t continue from there.',
        problem.value,
      );
    case 'no-name':
    case 'no-object-schema':
      return t('response_format: The schema needs a name and an object at the top level.');
    case 'empty':
      return problem.field === 'model'
        ? t('The route has no model. Set “model” in k3.routes.')
        : t('There is nothing to send. Enter a question.');
  }
}
