/**
 * Replaces the editor's API, so that an extension's modules can be loaded in Node: each name is a value that can be called,
 * extended, and asked for any property. Imported with `--import`, before the extension.
 */
import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';

const ANYTHING =
  'const any = new Proxy(function () {}, { get: (_, key) => key === "prototype" ? {} : key === Symbol.toPrimitive ? () => "" : any, apply: () => any, construct: () => ({}) });';

/** An ES module needs named exports. */
function namesOf() {
  const types = readFileSync(createRequire(import.meta.url).resolve('@types/vscode/index.d.ts'), 'utf8');
  const exported = types.matchAll(
    /^\s{0,4}export (?:abstract )?(?:class|enum|namespace|function|const|let) (\w+)/gm,
  );
  return [...new Set([...exported].map(([, name]) => name))];
}

registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'vscode'
      ? { url: `stub:${context.conditions.includes('require') ? 'commonjs' : 'module'}`, shortCircuit: true }
      : next(specifier, context),
  load(url, context, next) {
    if (url === 'stub:commonjs')
      return {
        format: 'commonjs',
        source: `${ANYTHING} module.exports = Object.create(any);`,
        shortCircuit: true,
      };
    if (url !== 'stub:module') return next(url, context);
    const named = namesOf().map((name) => `export const ${name} = any;`);
    return { format: 'module', source: ANYTHING + named.join(''), shortCircuit: true };
  },
});
await import('vscode');
