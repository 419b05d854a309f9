/** Edits in the code whose answers are the emulator's, or the strict service's, from the CodeLens or the quick fix to the saved file. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { afterEach, describe, it } from 'mocha';
import * as vscode from 'vscode';
import { findCodeAction, findCodeLens, runCommand } from '../actions.ts';
import { type CheckingService, startEmulated, startStrict } from '../emulated.ts';
import { aroundProposals, openHidden, pathOf, scripted } from '../proposals/proposing.ts';
import { until } from '../scripted.ts';

describe('With a service that checks all requests, an edit in the code', () => {
  aroundProposals();
  let service: CheckingService;

  afterEach(async () => {
    for (const edit of scripted.inPlace.list()) scripted.inPlace.end(edit);
    await service.close();
  });

  /** What the thread of the only edit says. */
  function said(): string {
    const [edit] = scripted.inPlace.list();
    assert.ok(edit);
    return (scripted.inPlace.threads.of(edit)?.comments ?? [])
      .map(({ body }) => (typeof body === 'string' ? body : body.value))
      .join('\n');
  }

  /** Accepts the only hunk, and saves. */
  async function accept(document: vscode.TextDocument, saved: string): Promise<void> {
    const { uri } = document;
    const name = pathOf(uri.path.split('/').at(-1) ?? '');
    await until(() => said().includes(`${name}: 1 open, 0 accepted, 0 rejected`));
    const { command } = await findCodeLens(uri, 'Accept');
    assert.ok(command);
    await runCommand(command);
    await until(() => said().includes('0 open, 1 accepted, 0 rejected'));
    await document.save();
    assert.equal(readFileSync(uri.fsPath, 'utf8'), saved);
    assert.deepEqual(service.violations(), []);
  }

  it('resolves a merge conflict from its CodeLens, with the strict service', async () => {
    service = await startStrict(scripted);
    const conflict = '<<<<<<< HEAD\nfour boats\n=======\nsix boats\n>>>>>>> topic';
    const files = [{ path: pathOf('boats.txt'), edits: [{ find: conflict, replace: 'ten boats' }] }];
    // The first line has what the service answers, because the command takes no words.
    const first = `[[answers:${JSON.stringify({ explanation: 'As asked.', files })}]]`;
    const document = await openHidden('boats.txt', `${first}\n${conflict}\nend\n`);
    const { command } = await findCodeLens(document.uri, 'Resolve with K3');
    assert.ok(command);
    await runCommand(command);
    await until(() => service.bodies().length === 1);
    assert.match(service.lastSent(), /Resolve this merge conflict[\s\S]*<<<<<<< HEAD/);
    await accept(document, `${first}\nten boats\nend\n`);
  });

  it('resolves a merge conflict from its CodeLens, with the emulator', async () => {
    service = await startEmulated(scripted);
    const conflict = '<<<<<<< HEAD\nfour boats\n=======\nsix boats\n>>>>>>> topic\n';
    const document = await openHidden('fleet.txt', `Our fleet:\n${conflict}end\n`);
    const { command } = await findCodeLens(document.uri, 'Resolve with K3');
    assert.ok(command);
    await runCommand(command);
    await until(() => service.bodies().length === 1);
    assert.match(service.lastSent(), /Resolve this merge conflict[\s\S]*<<<<<<< HEAD/);
    // It removes the markers and nothing between them, which is one hunk.
    await accept(document, 'Our fleet:\nfour boats\nsix boats\nend\n');
  });

  it('fixes a problem of the editor with its quick fix', async () => {
    service = await startEmulated(scripted);
    const document = await openHidden('note.txt', 'We recieve it if a == b.\n');
    const problems = vscode.languages.createDiagnosticCollection('spelling');
    const range = new vscode.Range(0, 3, 0, 10);
    problems.set(document.uri, [new vscode.Diagnostic(range, 'Did you mean “receive”?')]);
    await runCommand(await findCodeAction(document.uri, range, 'Fix with K3'));
    problems.dispose();
    await until(() => service.bodies().length === 1);
    assert.match(service.lastSent(), /Fix this code[\s\S]*line 1: Did you mean “receive”\?/);
    await accept(document, 'We recieve it if a === b.\n');
  });
});
