/** The demo: the emulator runs inside the extension, on this machine only, with a random key. */
import { randomBytes } from 'node:crypto';
import * as vscode from 'vscode';
import { parseBaseAddress } from '../../service/address.ts';
import { DEFAULT_MODEL } from '../../service/limits.ts';
import { importLater } from '../base/atFirstUse.ts';
import type { Routes } from './routes.ts';

const DEMO_TOKENS_PER_SECOND = 120;

/** Registers `k3.tryDemo`. The emulator is loaded and started on first use, and stops with the extension. */
export function registerDemo({ routes }: { readonly routes: Pick<Routes, 'useDemo'> }): vscode.Disposable {
  let started: Promise<{ url: string; close(): Promise<void> }> | undefined;
  const key = `demo-${randomBytes(12).toString('hex')}`;

  async function start() {
    const { startService } = await importLater(() => import('../../emulator/service.ts'));
    return startService({ port: 0, route: 'direct', key, tokensPerSecond: DEMO_TOKENS_PER_SECOND }, []);
  }

  return vscode.Disposable.from(
    vscode.commands.registerCommand('k3.tryDemo', async () => {
      started ??= start();
      const emulator = await started.catch((error: unknown) => {
        started = undefined;
        throw error;
      });
      const address = parseBaseAddress(emulator.url);
      if (!address.ok) return;
      const name = vscode.l10n.t('Demo');
      routes.useDemo({
        key,
        route: { name, kind: 'direct', root: address.root, origin: address.origin, model: DEFAULT_MODEL },
      });
      await vscode.commands.executeCommand('k3.focusChat');
    }),
    // If the emulator couldn't start, the command has reported the error, and there is nothing to close.
    new vscode.Disposable(() => void started?.then((emulator) => emulator.close()).catch(() => undefined)),
  );
}
