/** Reads `k3.routes`. */
import type { SettingProblem } from '../../requests/refusal.ts';
import { parseBaseAddress } from '../../service/address.ts';
import { DEFAULT_MODEL } from '../../service/limits.ts';
import type { Route, RouteNetwork } from '../../service/types.ts';
import { asRecord, asText, readFields, readTextField, yesOrNoOf } from './settingFields.ts';

/** Returns the routes that can be used, and adds to `problems` why the others can't. */
export function readRoutes(value: unknown, problems: SettingProblem[]): readonly Route[] {
  const routes: Route[] = [];
  for (const [name, entry] of Object.entries(readFields('k3.routes', value, problems))) {
    const setting = `k3.routes.${name}`;
    const fields = asRecord(entry);
    if (fields['kind'] !== 'direct' && fields['kind'] !== 'gateway') {
      problems.push({
        setting: `${setting}.kind`,
        problem: 'unknown-kind',
        value: String(fields['kind'] ?? ''),
      });
      continue;
    }
    const address = parseBaseAddress(asText(fields['baseUrl']));
    if (!address.ok) {
      problems.push({
        setting: `${setting}.baseUrl`,
        problem: address.problem,
        value: asText(fields['baseUrl']),
      });
      continue;
    }
    const wrong: SettingProblem[] = [];
    const network = readNetwork(`${setting}.network`, fields['network'], wrong);
    const model = readTextField(`${setting}.model`, fields['model'], wrong).trim();
    if (wrong.length > 0) {
      problems.push(...wrong);
      continue;
    }
    routes.push({
      name,
      kind: fields['kind'],
      root: address.root,
      origin: address.origin,
      model: model || DEFAULT_MODEL,
      ...(network === undefined ? {} : { network }),
    });
  }
  return routes;
}

/** An invalid value makes the route unusable: if it were ignored, the key would be sent another way than the user intended. */
function readNetwork(setting: string, value: unknown, problems: SettingProblem[]): RouteNetwork | undefined {
  const fields = readFields(setting, value, problems);
  const [proxy, caFile] = (['proxy', 'caFile'] as const).map((name) =>
    readTextField(`${setting}.${name}`, fields[name], problems),
  );
  const http2 = yesOrNoOf(`${setting}.http2`, fields['http2'], problems);
  const network: RouteNetwork = {
    ...(proxy ? { proxy } : {}),
    ...(caFile ? { caFile } : {}),
    ...(http2 ? { http2 } : {}),
  };
  return Object.keys(network).length === 0 ? undefined : network;
}
