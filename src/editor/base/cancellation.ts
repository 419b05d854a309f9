/** Converts between cancellation tokens, which the editor uses, and abort signals, which all other code uses. */
import * as vscode from 'vscode';

/** Gives `run` a signal that aborts when the token is canceled. */
export async function withSignal<Result>(
  token: vscode.CancellationToken,
  run: (signal: AbortSignal) => PromiseLike<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const abort = () => controller.abort();
  const listening = token.onCancellationRequested(abort);
  if (token.isCancellationRequested) abort();
  try {
    return await run(controller.signal);
  } finally {
    listening.dispose();
  }
}

/** Gives `run` a token that is canceled when the signal aborts. */
export async function withToken<Result>(
  signal: AbortSignal,
  run: (token: vscode.CancellationToken) => PromiseLike<Result>,
): Promise<Result> {
  const source = new vscode.CancellationTokenSource();
  const cancel = () => source.cancel();
  signal.addEventListener('abort', cancel);
  if (signal.aborted) cancel();
  try {
    return await run(source.token);
  } finally {
    signal.removeEventListener('abort', cancel);
    source.dispose();
  }
}

/** A token that nothing cancels. */
export const neverCanceled = (): vscode.CancellationToken => new vscode.CancellationTokenSource().token;
