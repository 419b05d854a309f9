/** Add Route, Edit Routes, and Check Connection, with the editor's own inputs. */
import assert from 'node:assert/strict';
import type { ServerResponse } from 'node:http';
import * as vscode from 'vscode';
import { readSettings } from '../../../src/editor/settings/settings.ts';
import { type Asking, watchModals } from '../modals.ts';
import { driveQuickInputs, type QuickInputs } from '../quickInputs.ts';
import { type Scripted, setForUser, startScripted, until } from '../scripted.ts';

const KEY = 'sk-of-the-new-route';
const settings = () => vscode.workspace.getConfiguration('k3');
const saved = () => settings().inspect<Record<string, object>>('routes')?.globalValue ?? {};
const active = () => settings().inspect<string>('route')?.globalValue;
const models =
  (...ids: string[]) =>
  (response: ServerResponse) =>
    void response.end(JSON.stringify({ object: 'list', data: ids.map((id) => ({ id })) }));
const refused = (response: ServerResponse) =>
  void response.writeHead(401).end('{"error":{"message":"Unknown key."}}');

describe('A route', () => {
  let scripted: Scripted;
  let inputs: QuickInputs;
  let asking: Asking;
  beforeEach(async () => {
    scripted = await startScripted();
    inputs = driveQuickInputs();
    asking = watchModals();
  });
  afterEach(async () => {
    inputs.dispose();
    asking.restore();
    await scripted.close();
    const names = Object.keys(saved()).filter((name) => name !== 'scripted');
    for (const name of names) await scripted.context.secrets.delete(`k3.key.${name}`);
    await setForUser('k3', 'routes', { scripted: saved()['scripted'] });
    await setForUser('k3', 'route', 'scripted');
  });

  /** Answers the steps up to the key. The command ends after the last one. */
  async function enter(address: string, name: string, key: string): Promise<{ ended: Thenable<unknown> }> {
    const command = vscode.commands.executeCommand('k3.addRoute');
    await inputs.answer(/1 of 4/, 'Direct');
    await inputs.answer(/2 of 4/, address);
    await inputs.answer(/3 of 4/, name);
    await inputs.answer(/4 of 4/, key);
    return { ended: command };
  }

  it('goes no way that the settings of the remote machine name inside of it, such as those of a container', async function () {
    // The desktop has no remote machine.
    if (vscode.env.remoteName === undefined) this.skip();
    const file = vscode.Uri.joinPath(scripted.context.globalStorageUri, '../../../Machine/settings.json');
    const ofMachine = { 'k3.routes.scripted.network.proxy': 'http://127.0.0.1:9' };
    const hasProxy = () => 'network' in (saved()['scripted'] ?? {});
    const write = (value: object) => vscode.workspace.fs.writeFile(file, Buffer.from(JSON.stringify(value)));
    await write(ofMachine);
    try {
      await until(hasProxy);
      assert.deepEqual(
        readSettings().routes.map(({ name, network }) => [name, network]),
        [['scripted', undefined]],
      );
    } finally {
      await write({});
      await until(() => !hasProxy());
    }
  });

  it('is added after its service has accepted the key and listed the model', async () => {
    scripted.will(models('other', 'svc-k3'));
    const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
    await ended;
    assert.deepEqual(
      scripted.requests.map(({ url, authorization }) => [url, authorization]),
      [['/v1/models', `Bearer ${KEY}`]],
    );
    assert.deepEqual(saved()['fresh'], { kind: 'direct', baseUrl: `${scripted.baseUrl}/v1` });
    assert.equal(active(), 'fresh');
    assert.match(asking.notes.join(), /accepted the API key, which can use svc-k3/);
    scripted.will(models('svc-k3'));
  });

  it('says where the key was found that its service has accepted, if none was entered', async () => {
    scripted.will(models('svc-k3'));
    const { origin } = new URL(scripted.baseUrl);
    await scripted.context.secrets.store('k3.key.fresh', JSON.stringify({ origin, key: KEY }));
    const { ended } = await enter(scripted.baseUrl, 'fresh', '');
    await ended;
    assert.equal(scripted.requests[0]?.authorization, `Bearer ${KEY}`);
    assert.match(
      asking.notes.join(),
      /accepted the API key \(found in: secret storage\), which can use svc-k3/,
    );
  });

  it('is added while the notification is shown that it was', async () => {
    const { showInformationMessage } = vscode.window;
    const shown: string[] = [];
    vscode.window.showInformationMessage = (message: string) => {
      shown.push(message);
      return new Promise(() => undefined);
    };
    try {
      scripted.will(models('svc-k3'));
      const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
      await ended;
      assert.match(shown.join(), /was added/);
    } finally {
      vscode.window.showInformationMessage = showInformationMessage;
    }
  });

  it('is not added before another key is entered when the service refuses the first', async () => {
    scripted.will(refused, models('svc-k3'));
    const { ended } = await enter(scripted.baseUrl, 'fresh', 'sk-wrong');
    await until(() => scripted.requests.length === 1);
    assert.equal(saved()['fresh'], undefined);
    await inputs.answer(/not accepted/, 'Enter Another API Key');
    await inputs.answer(/4 of 4/, KEY);
    await ended;
    assert.deepEqual(
      scripted.requests.map(({ authorization }) => authorization),
      ['Bearer sk-wrong', `Bearer ${KEY}`],
    );
    assert.equal(active(), 'fresh');
  });

  it('keeps what was entered when the user goes back, and nothing when the user cancels', async () => {
    const command = vscode.commands.executeCommand('k3.addRoute');
    await inputs.answer(/1 of 4/, 'Gateway');
    await inputs.answer(/2 of 4/, 'https://api.example.com');
    assert.equal(await inputs.back(/3 of 4/), 'example');
    assert.equal(await inputs.back(/2 of 4/), 'https://api.example.com');
    await inputs.cancel(/1 of 4/);
    await command;
    assert.deepEqual(Object.keys(saved()), ['scripted']);
    assert.equal(scripted.requests.length, 0);
  });

  it('is not accepted with an address that is none, which is said without the name of a setting', async () => {
    const command = vscode.commands.executeCommand('k3.addRoute');
    await inputs.answer(/1 of 4/, 'Direct');
    await inputs.answer(/2 of 4/, 'ftp://host');
    await until(() => inputs.message() !== '');
    assert.equal(inputs.message(), 'The address must start with https:// (or http:// on this machine).');
    await inputs.cancel(/2 of 4/);
    await command;
  });

  it('asks which model to use when svc-k3 has another name', async () => {
    scripted.will(models('vendor/svc-k3', 'tiny'));
    const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
    await inputs.answer(/svc-k3 is not listed/, 'vendor/svc-k3');
    await ended;
    assert.deepEqual(saved()['fresh'], {
      kind: 'direct',
      baseUrl: `${scripted.baseUrl}/v1`,
      model: 'vendor/svc-k3',
    });
  });

  it('asks for another name when another window has added a route of its name meanwhile, which stays', async () => {
    const theirs = { kind: 'gateway', baseUrl: 'https://theirs.example/v1' };
    scripted.will(async (response) => {
      const all = { ...saved(), fresh: theirs };
      await settings().update('routes', all, vscode.ConfigurationTarget.Global);
      models('svc-k3')(response);
    }, models('svc-k3'));
    const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
    await inputs.answer(/3 of 4/, 'mine');
    await inputs.answer(/4 of 4/, KEY);
    await ended;
    assert.deepEqual(saved()['fresh'], theirs);
    assert.deepEqual(saved()['mine'], { kind: 'direct', baseUrl: `${scripted.baseUrl}/v1` });
    assert.equal(active(), 'mine');
  });

  it('is added when the service lists no models', async () => {
    scripted.will((response) => void response.writeHead(404).end());
    const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
    await ended;
    assert.equal(active(), 'fresh');
    assert.doesNotMatch(asking.notes.join(), /accepted the API key/);
  });

  it('asks again before a key goes over plain HTTP to another machine, and returns to the address', async () => {
    await enter('http://machine.invalid', 'fresh', KEY);
    assert.equal(await inputs.back(/2 of 4/), 'http://machine.invalid');
    await inputs.cancel(/1 of 4/);
    assert.match(asking.titles.join(), /unencrypted HTTP/);
    assert.deepEqual(Object.keys(saved()), ['scripted']);
  });

  it('is told to the chat as soon as it is chosen, before the setting is written', async () => {
    const before = active();
    const other = { ...saved(), other: saved()['scripted'] };
    await settings().update('routes', other, vscode.ConfigurationTarget.Global);
    const { showQuickPick } = vscode.window;
    const pick = async (items: readonly { readonly name?: string }[]) =>
      items.find(({ name }) => name === 'other');
    Object.assign(vscode.window, { showQuickPick: pick });
    let told: unknown = 'nothing';
    await vscode.commands.executeCommand('k3.switchRoute', () => {
      told = active();
    });
    Object.assign(vscode.window, { showQuickPick });
    assert.deepEqual([told, active()], [before, 'other']);
  });

  it('is selected at first in the list of routes while it is active', async () => {
    const other = { ...saved(), other: saved()['scripted'] };
    await settings().update('routes', other, vscode.ConfigurationTarget.Global);
    await setForUser('k3', 'route', 'other');
    let chosen: unknown;
    void vscode.commands.executeCommand('k3.switchRoute').then((is) => {
      chosen = is;
    });
    // Until the list opens, there is nothing to accept.
    await until(() => {
      void vscode.commands.executeCommand('workbench.action.acceptSelectedQuickOpenItem');
      return chosen !== undefined;
    });
    assert.deepEqual([chosen, active()], [true, 'other']);
  });

  /** Adds a route, and opens the input for another name of it. `done` is the end of the command that edits routes. */
  async function addAndRename(): Promise<{ readonly done: Thenable<unknown> }> {
    scripted.will(models('svc-k3'));
    const { ended } = await enter(scripted.baseUrl, 'fresh', KEY);
    await ended;
    const editing = vscode.commands.executeCommand('k3.editRoutes');
    await inputs.answer(/Edit Routes/, '$(check) fresh');
    await inputs.answer(/Edit Route: fresh/, 'Name');
    return { done: editing };
  }

  it('can be renamed, which keeps its key, and removed, which removes it', async () => {
    const { done: editing } = await addAndRename();
    await inputs.answer(/Edit Route: fresh/, 'renamed');
    await until(() => active() === 'renamed');
    assert.deepEqual(Object.keys(saved()), ['scripted', 'renamed']);
    const { secrets } = scripted.context;
    await until(async () => (await secrets.get('k3.key.fresh')) === undefined);
    assert.match((await secrets.get('k3.key.renamed')) ?? '', new RegExp(KEY));
    asking.answer = 'Remove Route';
    await inputs.answer(/Edit Route: renamed/, 'Remove Route…');
    await inputs.cancel(/Edit Routes/);
    await editing;
    assert.deepEqual(Object.keys(saved()), ['scripted']);
    assert.equal(active() ?? '', '');
    assert.equal(await secrets.get('k3.key.renamed'), undefined);
  });

  for (const [why, broken] of [
    [
      'it was removed meanwhile',
      () => settings().update('routes', { scripted: saved()['scripted'] }, vscode.ConfigurationTarget.Global),
    ],
    ['the settings can’t be written', async () => failToWrite()],
  ] as const)
    it(`leaves no copy of its key under another name when it is renamed and ${why}`, async () => {
      const { done: editing } = await addAndRename();
      const restore = await broken();
      const { secrets } = scripted.context;
      const names: (string | undefined)[] = [];
      const listening = secrets.onDidChange(({ key }) => names.push(key));
      const errors: string[] = [];
      const { showErrorMessage } = vscode.window;
      Object.assign(vscode.window, { showErrorMessage: async (text: string) => void errors.push(text) });
      try {
        await inputs.answer(/Edit Route: fresh/, 'renamed');
        await until(
          () => names.length >= 2 || errors.some((note) => note.endsWith('was changed or removed.')),
        );
        await until(async () => (await secrets.get('k3.key.renamed')) === undefined);
        assert.match((await secrets.get('k3.key.fresh')) ?? '', new RegExp(KEY));
      } finally {
        restore?.();
        Object.assign(vscode.window, { showErrorMessage });
        listening.dispose();
        await secrets.delete('k3.key.fresh');
      }
      if (restore === undefined) await inputs.cancel(/Edit Routes/);
      await Promise.resolve(editing).catch(() => undefined);
    });

  /** Until the result is called. */
  function failToWrite(): () => void {
    const { getConfiguration } = vscode.workspace;
    const failing = (...values: Parameters<typeof getConfiguration>) =>
      Object.create(getConfiguration(...values), {
        update: { value: async () => Promise.reject(new Error('read-only')) },
      });
    vscode.workspace.getConfiguration = failing;
    return () => {
      vscode.workspace.getConfiguration = getConfiguration;
    };
  }

  it('whose key is refused is reported by Check Connection in one message', async () => {
    scripted.will(refused, refused);
    const reports = () =>
      vscode.workspace.textDocuments.filter(({ uri }) => uri.path.startsWith('/Connection to')).length;
    const before = reports();
    await vscode.commands.executeCommand('k3.checkConnection');
    assert.deepEqual(asking.notes, [
      'The API key was not accepted. Route “scripted” returned 401: the API key is missing, incorrect, or revoked. A key works only on its own route.',
    ]);
    assert.equal(reports(), before);
  });
});
