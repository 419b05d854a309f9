/** Why nothing was sent, in words that name the setting or the field, and the next step. */
import * as vscode from 'vscode';
import { environmentVariableFor } from '../../service/address.ts';
import { MAX_TOOLS } from '../../service/limits.ts';
import type { RequestProblem } from '../../service/request.ts';
import type { Refusal, SettingProblem } from '../../turns/refusal.ts';
import type { Asker, Spending } from '../../turns/spending.ts';
import { formatCost } from '../base/formats.ts';
import { withoutLinks } from '../base/notifications.ts';

const t = vscode.l10n.t;

/** Why nothing was sent, and what to do. */
export function describeRefusal(refusal: Refusal): string {
  switch (refusal.kind) {
    case 'no-route':
      return t('There is no route yet. Add one, or try the demo.');
    case 'setting':
      return describeSettingProblem(refusal.problem);
    case 'no-key':
      return describeKeyAbsence(refusal);
    case 'running':
      return t('An answer is still on its way. Stop it first, or wait.');
    case 'gone':
      return t(
        'This conversation was deleted. Nothing was sent; start a new one, or take the deletion back.',
      );
    case 'elsewhere':
      return t(
        'This conversation is answering in another window ({0}). It can be read here, and goes on here when that is done.',
        withoutLinks(refusal.place),
      );
    case 'unsupported':
      return t(
        'svc-k3 takes text and images (PNG, JPEG, GIF, WebP), not {0}. Nothing was sent; leave it out of the question.',
        refusal.found ?? refusal.mime,
      );
    case 'over-cap':
      return `${describeExcess(refusal)} ${t('Nothing was sent.')}`;
    case 'request':
      return describeRequestProblem(refusal.problem);
    case 'transport':
      return t('The request could not be made: {0}', refusal.message);
  }
}

function describeExcess({ spent, inputCost, cap }: Spending): string {
  return t(
    '{0} was spent today, and the input of this request costs about {1}. Together that is past k3.dailyCap ({2} for today).',
    formatCost(spent),
    formatCost(inputCost),
    formatCost(cap),
  );
}

/** What the question about the daily cap says: the figures, who asks, and what consent allows. */
export function describeSpending(spending: Spending, asker: Asker): string {
  const allows = t(
    'If you send it anyway, the amount of k3.dailyCap may be spent once more until midnight, by all requests of this window.',
  );
  const from = asker === 'other-chat' ? [t('Another chat of the editor asks svc-k3.')] : [];
  return [...from, describeExcess(spending), allows].join(' ');
}

function describeKeyAbsence({ route, why }: Extract<Refusal, { kind: 'no-key' }>): string {
  switch (why) {
    case 'none':
      return t(
        'There is no key for route “{0}”. Run “K3: Set API Key…”, or set the environment variable {1}.',
        route.name,
        environmentVariableFor(route),
      );
    case 'other-origin':
      return t(
        'The key of route “{0}” was given for another address and is not sent to {1}. Run “K3: Set API Key…” to give one for it.',
        route.name,
        route.origin,
      );
    case 'lost':
      return t(
        'A key was saved for route “{0}”, but the editor’s secret storage no longer has it; without a system keyring it forgets when it closes. Run “K3: Set API Key…” again, or set {1}.',
        route.name,
        environmentVariableFor(route),
      );
  }
}

export function describeSettingProblem({ setting, problem, value }: SettingProblem): string {
  switch (problem) {
    case 'empty':
      return t('{0} is empty. Put the address of the service there, like https://host/v1.', setting);
    case 'not-an-address':
      return t('{0}: “{1}” is no address. It should look like https://host/v1.', setting, value);
    case 'scheme':
      return t('{0}: “{1}” must begin with https:// (or http:// on this machine).', setting, value);
    case 'user-info':
      return t(
        '{0} contains a user name or password. Leave them out; keys are set with “K3: Set API Key…”.',
        setting,
      );
    case 'query':
      return t(
        '{0}: “{1}” has a query or fragment. Only scheme, host and path belong there.',
        setting,
        value,
      );
    case 'unknown-kind':
      return t('{0} must be “direct” or “gateway”, not “{1}”.', setting, value);
    case 'not-a-positive-integer':
      return t('{0} must be a whole number above 0 or null, not {1}.', setting, value);
    case 'not-a-number':
      return t('{0} must be a number of 0 or more, not {1}.', setting, value);
    case 'not-above-zero':
      return t('{0} must be a number above 0, not {1}.', setting, value);
    case 'not-text':
      return t('{0} must be a text in quotation marks, not {1}.', setting, value);
    case 'not-yes-or-no':
      return t('{0} must be true or false, not {1}.', setting, value);
    case 'none-of-the-choices':
      return t('{0}: “{1}” is none of its choices. The settings editor lists them.', setting, value);
    case 'unknown-route':
      return t(
        '{0} is “{1}”, but k3.routes has no route of that name. Run “K3: Switch Route…”.',
        setting,
        value,
      );
    case 'not-an-object':
      return t('{0} must be an object.', setting);
  }
}

function describeRequestProblem(problem: RequestProblem): string {
  switch (problem.reason) {
    case 'nothing-asked':
      return t('There is nothing to send: write a question.');
    case 'public-address':
      return t(
        'The image address {0} is public, which the service does not fetch. Attach the file itself.',
        problem.value,
      );
    case 'not-an-image':
      return t('“{0}” is no image that the service takes: PNG, JPEG, GIF or WebP.', problem.value);
    case 'too-many':
      return t(
        '{0} tools are chosen; the service takes {1}. Leave some out with “K3: Choose Tools…”.',
        problem.count,
        MAX_TOOLS,
      );
    case 'same-name':
      return t('Two tools are called “{0}”. Leave one out.', problem.value);
    case 'not-a-positive-integer':
      return t('k3.maxCompletionTokens must be a whole number above 0.');
    case 'unknown':
      return t('k3.reasoningEffort: “{0}” is not low, high or max.', problem.value);
    case 'empty-beside-calls':
      return t('A message with tool calls has an empty text, which is refused. Please report this.');
    case 'unanswered-or-unknown':
      return t(
        'The tool call {0} has no result, so the conversation cannot go on from there.',
        problem.value,
      );
    case 'no-name':
    case 'no-object-schema':
      return t('response_format: the schema needs a name, and an object at its top.');
    case 'empty':
      return problem.field === 'model'
        ? t('The route names no model: set “model” in k3.routes.')
        : t('There is nothing to send: write a question.');
  }
}
