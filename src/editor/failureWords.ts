/** Errors of the service and refusals of our own, in words: what happened, why, and the next step. */
import * as vscode from 'vscode';
import type { RequestFacts } from '../chat/turn.ts';
import type { Failure, WaitPhase } from '../service/errors.ts';
import { CONTEXT_WINDOW_TOKENS, MAX_TOOLS } from '../service/limits.ts';
import type { RequestProblem } from '../service/request.ts';
import { environmentVariableFor } from './keys.ts';
import type { Refusal } from './preparation.ts';
import type { SettingProblem } from './settings.ts';

const t = vscode.l10n.t;

export interface Description {
  readonly title: string;
  readonly body: readonly string[];
}

type Asked = Pick<RequestFacts, 'routeName' | 'routeKind' | 'model'>;

export function describeFailure(failure: Failure, asked: Asked): Description {
  const { details } = failure;
  switch (failure.kind) {
    case 'bad-key':
      return {
        title: t('The key was not accepted'),
        body: [
          t(
            'Route “{0}” answered 401: the key is missing, mistyped or revoked. Keys of one route do not work on another.',
            asked.routeName,
          ),
        ],
      };
    case 'model-unavailable':
      return {
        title: t('Model “{0}” is not available', asked.model),
        body: [
          t(
            'The service does not tell a wrong name from missing access: either the model is called something else, or this key may not use it. “Check Connection” lists the models that the key may use.',
          ),
        ],
      };
    case 'model-unknown':
      return {
        title: t('The gateway does not know the model “{0}”', asked.model),
        body: [
          details.didYouMean === undefined
            ? t('This is permanent: asking again with the same name gives the same answer.')
            : t(
                'It suggests “{0}”. This is permanent: asking again with the same name gives the same answer.',
                details.didYouMean,
              ),
        ],
      };
    case 'access-denied':
      return {
        title: t('Access denied'),
        body: [
          t('Route “{0}” answered {1}: this key may not do that.', asked.routeName, details.status ?? 403),
        ],
      };
    case 'invalid-request':
      return {
        title: t('The service refused the request'),
        body: [t('It answered {0}. Its words are below.', details.status ?? 400)],
      };
    case 'filtered':
      return { title: t('Refused by the content filter'), body: [t('Asking in other words may help.')] };
    case 'context-overflow':
      return {
        title: t('The conversation is too long for the model'),
        body: [
          t(
            'The context window holds {0} tokens. Start a new conversation, or ask with less attached.',
            CONTEXT_WINDOW_TOKENS.toLocaleString(vscode.env.language),
          ),
        ],
      };
    case 'too-large':
      return {
        title: t('The request is too large'),
        body: [t('Most often images make it so: attach smaller ones, or fewer.')],
      };
    case 'rate-limited':
      return { title: t('Too many requests'), body: [waitLine(failure), t('Nothing was billed for it.')] };
    case 'overloaded':
      return {
        title: t('The service is overloaded'),
        body: [t('It answered {0}, as at peak hours.', details.status ?? 503), waitLine(failure)],
      };
    case 'no-balance':
      return {
        title: t('The account of this route has no balance'),
        body: [
          t(
            'Each route has an account of its own. Top it up in the dashboard of “{0}”; trying again before that does not help.',
            asked.routeName,
          ),
        ],
      };
    case 'server-failed':
      return {
        title: t('The service failed'),
        body: [t('It answered {0}. Trying again later usually helps.', details.status ?? 500)],
      };
    case 'redirected':
      return {
        title: t('The address answers with a redirect'),
        body: [
          t(
            'It points to {0}. Redirects are never followed, because the key would go along: put the final address into k3.routes.{1}.baseUrl.',
            details.location ?? '?',
            asked.routeName,
          ),
        ],
      };
    case 'not-found':
      return {
        title: t('There is no such service at this address'),
        body: [
          t(
            'It answered {0}. Check the address in k3.routes.{1}.baseUrl.',
            details.status ?? 404,
            asked.routeName,
          ),
        ],
      };
    default:
      return describeConnection(failure, asked);
  }
}

function describeConnection(failure: Failure, asked: Asked): Description {
  const { details } = failure;
  switch (failure.kind) {
    case 'not-a-completion':
      return {
        title: t('The reply is no completion'),
        body: [
          t(
            'The address answered 200, but with {0} instead of an answer. A login page or a wrong address does that: check k3.routes.{1}.baseUrl.',
            describeContent(failure),
            asked.routeName,
          ),
        ],
      };
    case 'unreachable':
      return {
        title: t('The service cannot be reached'),
        body: [
          t(
            'Connecting failed ({0}). Check the address of “{1}”, the network and the proxy.',
            details.systemCode ?? '?',
            asked.routeName,
          ),
        ],
      };
    case 'untrusted-certificate':
      return {
        title: t('The certificate is not trusted'),
        body: [
          t(
            '{0}. If the authority is your own, name its file in k3.routes.{1}.network.caFile.',
            details.systemCode ?? 'TLS',
            asked.routeName,
          ),
        ],
      };
    case 'proxy-refused':
      return {
        title: t('The proxy refused the connection'),
        body: [
          t('Check http.proxy in the editor’s settings, or k3.routes.{0}.network.proxy.', asked.routeName),
        ],
      };
    case 'connection-lost':
      return {
        title: t('The connection broke'),
        body: [
          t(
            'It broke before an answer came ({0}). Nothing is sent again by itself.',
            details.systemCode ?? details.serviceMessage ?? '?',
          ),
        ],
      };
    case 'silent':
      return { title: t('The service fell silent'), body: [silentLine(failure)] };
    case 'stream-error':
      return {
        title: t('The service reported an error'),
        body: [t('It came with status 200. What had arrived before is kept.')],
      };
    default:
      return {
        title:
          details.status === undefined
            ? t('The request failed')
            : t('The request failed with status {0}', details.status),
        body: [],
      };
  }
}

function describeContent({ details }: Failure): string {
  const excerpt = details.excerpt?.trimStart() ?? '';
  if (excerpt === '') return t('an empty body');
  if (excerpt.startsWith('<')) return t('a web page');
  return details.contentType ?? t('something else');
}

function waitLine({ details }: Failure): string {
  if (details.retryAfterMs === undefined)
    return t('It was tried several times, with pauses. Wait a little and try again.');
  const seconds = Math.ceil(details.retryAfterMs / 1000);
  return t('The service asks to wait {0} s before the next try.', seconds);
}

const SETTING_OF_PHASE: Readonly<Record<WaitPhase, string>> = {
  connecting: 'connecting',
  'first-byte': 'firstByte',
  reasoning: 'reasoning',
  answering: 'answering',
};

function silentLine({ details }: Failure): string {
  const phase = details.phase ?? 'first-byte';
  const seconds = Math.round((details.silentMs ?? 0) / 1000);
  return t(
    'Nothing came for {0} s, the limit of k3.timeouts.{1}. What had arrived is kept; it may have been billed.',
    seconds,
    SETTING_OF_PHASE[phase],
  );
}

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
    case 'request':
      return describeRequestProblem(refusal.problem);
    case 'transport':
      return t('The request could not be made: {0}', refusal.message);
  }
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
      return t('{0} tools are chosen; the service takes {1}. Leave some out.', problem.count, MAX_TOOLS);
    case 'same-name':
      return t('Two tools are called “{0}”. Leave one out.', problem.value);
    case 'not-a-positive-integer':
      return t('k3.maxCompletionTokens must be a whole number above 0.');
    case 'unknown':
      return t('k3.reasoningEffort: “{0}” is not low, high or max.', problem.value);
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
