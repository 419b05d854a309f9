import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'mocha';
import type { InspectProxySetting } from '../../../../src/editor/connection/transports.ts';
import { nodeTransport } from '../../../../src/service/nodeTransport.ts';
import type { Route, RouteNetwork } from '../../../../src/service/types.ts';
import { inBackground } from '../../../support/inBackground.ts';
import { withEditorStub } from '../../../support/withEditorStub.ts';

const { createTransports, onUsersMachine } = await withEditorStub(
  () => import('../../../../src/editor/connection/transports.ts'),
);

const REMOTE = 'http://svc.k3.example';
const THIEF = 'http://127.0.0.1:9';

const routeTo = (origin: string, network?: RouteNetwork): Route => ({
  name: 'work',
  kind: 'direct',
  root: `${origin}/v1`,
  origin,
  model: 'svc-k3',
  ...(network && { network }),
});

const inspectOf =
  (user: Record<string, unknown>, workspace: Record<string, unknown>): InspectProxySetting =>
  (name) => ({ globalValue: user[name], workspaceValue: workspace[name] });

/** Sends a request, and returns the hosts that a proxy of the user was asked for. */
async function targetsOf(
  workspace: Record<string, unknown>,
  noProxy?: readonly unknown[],
): Promise<readonly string[]> {
  const targets: string[] = [];
  const proxy = createServer().on('connect', ({ url }, socket) => {
    targets.push(url ?? '');
    socket.end('HTTP/1.1 403 Forbidden\r\n\r\n');
  });
  await once(proxy.listen(0, '127.0.0.1'), 'listening');
  const own = `http://127.0.0.1:${(proxy.address() as AddressInfo).port}`;
  const transports = createTransports(inspectOf({ proxy: own, noProxy }, workspace), inBackground);
  const send = await transports.for(routeTo(REMOTE));
  const url = `${REMOTE}/v1/models`;
  await assert.rejects(send({ method: 'GET', url, headers: {}, signal: AbortSignal.timeout(5_000) }));
  transports.dispose();
  proxy.close();
  return targets;
}

describe('A workspace that has set a proxy inside of another setting', () => {
  it('does not replace the proxy of the user', async () => {
    assert.deepEqual(await targetsOf({ proxy: THIEF }), ['svc.k3.example:80']);
  });

  it('does not lead around the proxy of the user', async () => {
    assert.deepEqual(await targetsOf({ proxySupport: 'off' }), ['svc.k3.example:80']);
    assert.deepEqual(await targetsOf({ noProxy: ['svc.k3.example'] }), ['svc.k3.example:80']);
  });

  it('does not give a proxy to a user without one', async () => {
    for (const user of [{}, { proxy: ' ' }, { proxy: 'http://127.0.0.1:8', proxySupport: 'off' }]) {
      const transports = createTransports(inspectOf(user, { proxy: THIEF }), inBackground);
      const direct = await transports.for(routeTo(REMOTE, { proxy: 'none' }));
      assert.equal(await transports.for(routeTo(REMOTE)), direct);
      transports.dispose();
    }
  });

  it('does not send to the proxy of the user what the user keeps from it, as the editor reads that', async () => {
    const workspace = { proxy: THIEF };
    for (const host of ['svc.k3.example', ' K3.Example ', '.example', '*', 'svc.k3.example:80'])
      assert.deepEqual(await targetsOf(workspace, ['other.example', host]), [], host);
    for (const host of ['vc.k3.example', 'svc.k3', 'svc.k3.example:443', '', 7])
      assert.deepEqual(await targetsOf(workspace, [host]), ['svc.k3.example:80'], String(host));
  });

  it('leaves the proxy of the user, and an error about it names its setting', async () => {
    const transports = createTransports(inspectOf({ proxy: 'proxy:8080' }, { proxy: THIEF }), inBackground);
    await assert.rejects(
      transports.for(routeTo(REMOTE)),
      /^Error: http\.proxy: proxy:8080 is not an address/,
    );
    transports.dispose();
  });

  // A remote window of a container, which gets the settings of its machine from the workspace.
  it('leaves the proxy of the user, not that of a remote machine, if this code runs on the machine of the user', async () => {
    const own = { proxy: 'http://127.0.0.1:8' };
    const ofMachine: Record<string, unknown> = { proxy: THIEF, proxySupport: 'off', noProxy: ['*'] };
    const inspect = onUsersMachine((name) => ({
      workspaceValue: THIEF,
      globalValue: ofMachine[name],
      globalRemoteValue: ofMachine[name],
      globalLocalValue: { ...own }[String(name)],
    }));
    const transports = createTransports(inspect, inBackground);
    const users = await transports.for(routeTo(REMOTE, own));
    assert.equal(await transports.for(routeTo(REMOTE)), users);
    transports.dispose();
  });

  it('changes nothing for a route with a proxy of its own, or to this machine', async () => {
    const transports = createTransports(inspectOf({}, { proxy: THIEF }), inBackground);
    const proxy = 'http://127.0.0.1:7';
    const own = await transports.for(routeTo(REMOTE, { proxy }));
    assert.notEqual(own, nodeTransport);
    assert.equal(await transports.for(routeTo('http://127.0.0.1:8080')), nodeTransport);
    transports.dispose();
  });
});

describe('A proxy in the settings of the user only', () => {
  it('is used by the editor itself', async () => {
    const transports = createTransports(inspectOf({ proxy: 'http://127.0.0.1:8' }, {}), inBackground);
    assert.equal(await transports.for(routeTo(REMOTE)), nodeTransport);
    transports.dispose();
  });
});

describe('A route with a proxy of its own', () => {
  it('has one transport for two first requests at once, so that all connections are closed with the window', async () => {
    const transports = createTransports(inspectOf({}, {}), inBackground);
    const route = routeTo(REMOTE, { proxy: THIEF });
    const [one, other] = await Promise.all([transports.for(route), transports.for(route)]);
    assert.equal(one, other);
    transports.dispose();
  });

  it('is tried again after one that couldn’t be made', async () => {
    const transports = createTransports(inspectOf({}, {}), inBackground);
    const route = routeTo(REMOTE, { proxy: 'proxy:8080' });
    for (let times = 0; times < 2; times++)
      await assert.rejects(transports.for(route), /proxy:8080 is not an address/);
    transports.dispose();
  });
});

describe('The certificate file of a route', () => {
  it('is read again when it has changed, such as for a new authority', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'k3-authority-'));
    const caFile = join(folder, 'ca.pem');
    const write = (name: string) =>
      writeFileSync(caFile, `-----BEGIN CERTIFICATE-----\n${name}\n-----END CERTIFICATE-----\n`);
    const transports = createTransports(inspectOf({}, {}), inBackground);
    try {
      for (const network of [{ caFile }, { caFile, proxy: 'http://127.0.0.1:7' }]) {
        write('old');
        const old = await transports.for(routeTo(REMOTE, network));
        assert.equal(await transports.for(routeTo(REMOTE, network)), old);
        write('new');
        assert.notEqual(await transports.for(routeTo(REMOTE, network)), old);
      }
    } finally {
      transports.dispose();
      rmSync(folder, { recursive: true });
    }
  });
});
