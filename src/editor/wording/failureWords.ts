/** Errors of the service in words: what happened, why, and the next step. */
import * as vscode from 'vscode';
import type { RequestFacts } from '../../chat/turn.ts';
import type { Failure, WaitPhase } from '../../service/errors.ts';
import { CONTEXT_WINDOW_TOKENS, LONGEST_EVENT } from '../../service/limits.ts';

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
      // An error that came where an answer should, after the status had said that all is well.
      if (details.status === 200) return describeConnection({ ...failure, kind: 'stream-error' }, asked);
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
    case 'response-too-large':
      return {
        title: t('The response is too large'),
        body: [t('A part of it has more than {0} MB. It was read no further.', LONGEST_EVENT / 1024 / 1024)],
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
