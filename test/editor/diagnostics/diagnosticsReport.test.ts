import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { type Scripted, startScripted } from '../scripted.ts';

const settings = () => vscode.workspace.getConfiguration('k3');
const update = (routes: unknown) => settings().update('routes', routes, vscode.ConfigurationTarget.Global);

describe('The diagnostics for a bug report', () => {
  let scripted: Scripted;
  let before: Record<string, unknown>;
  beforeEach(async () => {
    scripted = await startScripted();
    before = { ...settings().get<Record<string, unknown>>('routes') };
  });
  afterEach(async () => {
    await update(before);
    await scripted.close();
  });

  it('name the field of a route that is wrong, but not the route, whatever its name has', async () => {
    const wrong = { kind: 'direct', baseUrl: 'ftp://host.internal' };
    await update({ ...before, 'mine.internal': wrong, 'mine\nof host.internal\n': wrong });
    await vscode.commands.executeCommand('k3.copyDiagnostics');
    const report = await vscode.env.clipboard.readText();
    assert.equal(report.match(/^Setting k3\.routes\.….baseUrl: /gm)?.length, 2);
    assert.doesNotMatch(report, /mine|internal/);
  });
});
