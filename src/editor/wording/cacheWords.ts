/** Texts about how much of a request was cached, and why less was cached than before. */
import * as vscode from 'vscode';
import type { FormCache } from '../../conversation/outcomes/notices.ts';
import type { CacheDrop } from '../../conversation/requestMessages/prefix.ts';
import { formatTokens } from '../base/formats.ts';
import { joinSentences } from '../base/sentences.ts';

const t = vscode.l10n.t;

export function cacheLine(drop: CacheDrop): string {
  const figures = t(
    '{0} of about {1} expected tokens were cached.',
    formatTokens(drop.cachedTokens),
    formatTokens(drop.expectedTokens),
  );
  return joinSentences([figures, changedLine(drop)]);
}

export function formCacheLines(cache: FormCache): readonly string[] {
  switch (cache) {
    case 'empty':
      return [];
    case 'used':
      return [t('The cached start of the conversation was still used.')];
    case 'not-reported':
      return [
        t(
          'The service didn’t report cached tokens. The earlier messages may be billed at the full price once.',
        ),
      ];
    default:
      return [cacheLine(cache)];
  }
}

function changedLine(drop: CacheDrop): string {
  switch (drop.changed) {
    case 'form':
      return t('The message format changed because of an image.');
    case 'nothing':
      return t('The start of the request didn’t change, but the service no longer had it cached.');
    case 'answer-format':
      return t('The messages didn’t change, but the answer format did.');
    case 'effort':
      return t('The messages didn’t change, but the effort did.');
    case 'model':
      return t('The model changed.');
    case 'system':
      return t('The system prompt changed.');
    case 'tools':
      return t('The tool list changed.');
    case 'other-tools':
      return t('An MCP server or an extension changed its tools.');
    case 'message':
      return t('Message {0} of the conversation changed.', drop.message ?? 0);
  }
}
