/** Which way a request goes with the network settings of the editor and of the route, and which setting an error names. */
import assert from 'node:assert/strict';
import { describeTurn } from '../../../src/requests/describeTurn.ts';
import {
  CA,
  IN_ADDRESS,
  KEY,
  LOGIN,
  type Network,
  print,
  type Row,
  reasonToSkip,
  type Settings,
  startNetwork,
  toBasic,
} from './network.ts';
import { PROXY_ROWS } from './networkRows.ts';
import { TLS_ROWS } from './networkTlsRows.ts';

const GROUPS = { ...PROXY_ROWS, ...TLS_ROWS };
const ROWS = Object.values(GROUPS).flat();

describe('A network with a proxy and a private certificate authority', () => {
  let network: Network;
  const lines: string[] = [];
  const said: string[] = [];
  /** The name of the route of each row. */
  const routes = new Map<Row, string>();

  before(async function () {
    const reason = reasonToSkip();
    if (reason !== undefined) {
      print(`The tests of networks are left out: ${reason}.`);
      return this.skip();
    }
    network = await startNetwork();
    const all = ROWS.map(({ to, own }) => ({ to, ...(own && { own: named(own) }) }));
    const names = await network.addRoutes(all);
    for (const [index, row] of ROWS.entries()) routes.set(row, names[index] ?? '');
  });
  after(async () => {
    print(['', 'to      way      settings: what is said', ...lines, ''].join('\n'));
    await network?.close();
  });

  const named = (settings: Settings = {}): Settings => {
    const addresses: Settings = {
      PROXY: `http://127.0.0.1:${network.proxy.port}`,
      SECURE_PROXY: `https://127.0.0.1:${network.secureProxy.port}`,
      'LOGIN@PROXY': `http://${IN_ADDRESS}127.0.0.1:${network.proxy.port}`,
    };
    const known = (value: unknown) => (typeof value === 'string' ? (addresses[value] ?? value) : value);
    return Object.fromEntries(Object.entries(settings).map(([name, value]) => [name, known(value)]));
  };

  for (const [group, rows] of Object.entries(GROUPS))
    describe(group, () => {
      for (const row of rows)
        it(`${row.what}: ${row.way}${row.says === undefined ? '' : ', and says why'}`, async () => {
          const { proxy, services } = network;
          proxy.mode = row.proxy ?? { kind: 'passes' };
          await network.use(named(row.settings));
          const route = routes.get(row) ?? assert.fail('no route');
          const asked = await network.ask('Hello?', route);
          lines.push(
            `${row.to.padEnd(7)} ${network.way().padEnd(8)} ${row.what}: ${asked.said || 'answered'}`,
          );
          said.push(JSON.stringify(asked), asked.turn === undefined ? '' : describeTurn(asked.turn));
          assert.equal(network.way(), row.way, asked.said);
          if (row.says === undefined) assert.equal(asked.turn?.answer, 'Yes.', asked.said);
          else assert.match(asked.said.replaceAll(`k3.routes.${route}.`, 'k3.routes.net.'), row.says);
          const seen = Object.values(services).flatMap((service) => service.seen);
          if (row.version !== undefined)
            assert.deepEqual(
              seen.map(({ version }) => version),
              [row.version],
            );
          if (row.to !== 'plain') {
            assert.equal(Buffer.concat(proxy.received).includes(KEY), false, 'the key is at the proxy');
            for (const { headers } of seen) assert.equal(headers['proxy-authorization'], undefined);
          }
        });
    });

  describe('A password of a proxy', () => {
    it('is not in what is said, in the turns, and in what is logged of them', () => {
      const secrets = [LOGIN, 'pa%40ss', toBasic(LOGIN).slice('Basic '.length)];
      for (const text of said) for (const secret of secrets) assert.equal(text.includes(secret), false, text);
    });
  });

  describe('A route that changes', () => {
    it('is reached as its settings say by then', async () => {
      network.proxy.mode = { kind: 'passes' };
      await network.use({});
      const through = { proxy: `http://127.0.0.1:${network.proxy.port}`, ...CA };
      for (const [to, own, way] of [
        ['far', through, 'proxy'],
        ['tls', CA, 'direct'],
        ['tls', through, 'proxy'],
      ] as const) {
        await network.route(to, own);
        const asked = await network.ask('Hello?', 'net');
        assert.equal(network.way(), way, asked.said);
      }
    });
  });
});
