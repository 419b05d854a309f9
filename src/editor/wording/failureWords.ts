/** Messages for errors of the service: what happened, why, and the next step. */
import * as vscode from 'vscode';
import type { SentImages } from '../../conversation/images/sentImages.ts';
import type { RequestFacts } from '../../conversation/requestFacts.ts';
import { type Failure, suggestedModel } from '../../service/errors.ts';
import { CONTEXT_WINDOW_TOKENS, MAX_EVENT_LENGTH } from '../../service/limits.ts';
import { MISSING_FILE } from '../../service/transportError.ts';
import { changedText } from '../base/atFirstUse.ts';
import { describeNetworkFailure } from './networkWords.ts';
import { describePage, isPage } from './pageWords.ts';
import { keptAliveLine, silentLine, waitLine } from './waitWords.ts';

const t = vscode.l10n.t;

export interface Description {
  readonly title: string;
  readonly body: readonly string[];
}

/** The request that failed. Without `images`, it isn't known whether it had images. */
type Asked = Pick<RequestFacts, 'routeName' | 'routeKind' | 'model'> & { readonly images?: SentImages };

export function describeFailure(failure: Failure, asked: Asked): Description {
  const { details } = failure;
  switch (failure.kind) {
    case 'bad-key':
      return {
        title: t('The API key was not accepted'),
        body: [
          t(
            'Route “{0}” returned {1}: the API key is missing, incorrect, or revoked. A key works only on its own route.',
            asked.routeName,
            details.status ?? 401,
          ),
        ],
      };
    case 'key-removed':
      return {
        title: t('The API key was removed during the turn'),
        body: [
          t(
            'Route “{0}” no longer has an API key for its address, so the next request of this turn was not sent.',
            asked.routeName,
          ),
        ],
      };
    case 'model-unavailable':
      return {
        title: t('Model “{0}” is not available', asked.model),
        body: [wrongOrNoAccess()],
      };
    case 'model-unknown': {
      const suggested = suggestedModel(failure, asked.model);
      return {
        title: t('The gateway doesn’t recognize the model “{0}”', asked.model),
        body: [
          suggested === undefined
            ? wrongOrNoAccess()
            : t('The gateway suggests “{0}”. Retrying with the same name won’t help.', suggested),
        ],
      };
    }
    case 'access-denied':
      if (isPage(failure)) return describePage(failure, asked);
      return {
        title: t('Access denied'),
        body: [
          t(
            'Route “{0}” returned {1}: this API key doesn’t have permission.',
            asked.routeName,
            details.status ?? 403,
          ),
        ],
      };
    case 'invalid-request':
      return {
        title: t('The service rejected the request'),
        body: [t('The service returned {0}.', details.status ?? 400)],
      };
    case 'filtered':
      return { title: t('Blocked by the content filter'), body: [t('Try rephrasing the question.')] };
    case 'context-overflow':
      return {
        title: t('The conversation is too long for the model'),
        body: [
          t(
            'The context window holds {0} tokens. Start a new conversation or remove attachments.',
            CONTEXT_WINDOW_TOKENS.toLocaleString(vscode.env.language),
          ),
        ],
      };
    case 'too-large':
      return {
        title: t('The request is too large'),
        body: [
          asked.images === 'none'
            ? t('Start a new conversation or remove attachments.')
            : t('Images are the most common cause. Attach fewer or smaller images.'),
        ],
      };
    case 'rate-limited':
      return {
        title: t('Too many requests'),
        body: isWithin(failure)
          ? bodyWithin(failure)
          : [waitLine(failure), t('This request was not billed.')],
      };
    case 'overloaded':
      return {
        title: t('The service is overloaded'),
        body: isWithin(failure)
          ? bodyWithin(failure)
          : [
              t('The service returned {0}, which is common at peak hours.', details.status ?? 503),
              waitLine(failure),
            ],
      };
    case 'no-balance':
      return {
        title: t('This route’s account has no balance'),
        body: [
          t(
            'Each route has its own account. Add funds in the dashboard of “{0}” before you retry.',
            asked.routeName,
          ),
        ],
      };
    case 'server-failed':
      if (isWithin(failure)) return describeConnection({ ...failure, kind: 'stream-error' }, asked);
      return {
        title: t('The service failed'),
        body: [t('The service returned {0}. Retrying later usually helps.', details.status ?? 500)],
      };
    case 'redirected':
      return {
        title: t('The address redirects to another address'),
        body: [
          t(
            'It redirects to {0}. Redirects are not followed because they would send the API key along. Set k3.routes.{1}.baseUrl to the final address.',
            details.location ?? '?',
            asked.routeName,
          ),
        ],
      };
    case 'not-found':
      return {
        title: t('The service was not found at this address'),
        body: [
          t('The address returned {0}. Check k3.routes.{1}.baseUrl.', details.status ?? 404, asked.routeName),
        ],
      };
    default:
      return describeConnection(failure, asked);
  }
}

const wrongOrNoAccess = () =>
  t(
    'Either the model name is wrong or this API key has no access to it; the service doesn’t say which. To list the models available to this key, run “K3: Check Connection”.',
  );

function describeConnection(failure: Failure, asked: Asked): Description {
  const { details } = failure;
  switch (failure.kind) {
    case 'not-a-completion':
      return {
        title: t('Unexpected server response'),
        body: [
          details.contentEncoding === undefined
            ? t(
                'The address returned 200, but with {0} instead of a completion. A sign-in page or a wrong address can cause this. Check k3.routes.{1}.baseUrl.',
                describeContent(failure),
                asked.routeName,
              )
            : t(
                'The response is compressed with “{0}”, which can’t be read. Turn off compression in the gateway or proxy of route “{1}”.',
                details.contentEncoding,
                asked.routeName,
              ),
        ],
      };
    case 'unreachable':
    case 'untrusted-certificate':
    case 'proxy-refused':
      return describeNetworkFailure({ kind: failure.kind, details }, asked.routeName);
    case 'connection-lost':
      return {
        title: t('The connection was lost'),
        body: [
          t(
            'It was lost before an answer arrived ({0}). The request is not retried automatically.',
            details.systemCode ?? details.serviceMessage ?? '?',
          ),
        ],
      };
    case 'silent':
      return details.keptAlive
        ? { title: t('The service made no progress'), body: [keptAliveLine(failure)] }
        : { title: t('The service stopped responding'), body: [silentLine(failure)] };
    case 'stream-error':
      return {
        title: t('The service reported an error'),
        body: bodyWithin(failure),
      };
    case 'response-too-large':
      return {
        title: t('The response is too large'),
        body: [
          t(
            'Part of the response is larger than {0} MB, so the rest wasn’t read.',
            MAX_EVENT_LENGTH / 1024 / 1024,
          ),
        ],
      };
    default:
      if (details.systemCode === MISSING_FILE)
        return { title: t('A part of K3 Chat couldn’t be loaded'), body: [changedText()] };
      return {
        title:
          details.status === undefined
            ? t('The request failed')
            : t('The request failed with status {0}', details.status),
        body: [],
      };
  }
}

function describeContent(failure: Failure): string {
  const { details } = failure;
  const excerpt = details.excerpt?.trimStart() ?? '';
  if (excerpt === '') return t('an empty response');
  if (isPage(failure)) return t('a web page');
  return details.contentType ?? t('something else');
}

/** Whether an error came within a response with status 200. Such a request was not sent again, and may be billed. */
const isWithin = ({ details }: Failure): boolean => details.status === 200;

const bodyWithin = (failure: Failure): readonly string[] => [
  t('The error came with status 200. Any text received before it is kept.'),
  ...(failure.details.retryAfterMs ? [waitLine(failure)] : []),
];
