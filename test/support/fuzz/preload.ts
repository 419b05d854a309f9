/** Loaded by mocha before the tests when `npm run fuzz` runs them: `fast-check` is then `properties.ts`. */
import { registerHooks } from 'node:module';
import type { Context } from 'mocha';

const properties = new URL('./properties.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'fast-check' && context.parentURL !== properties
      ? { url: properties, shortCircuit: true }
      : next(specifier, context),
});

export const mochaHooks = {
  beforeEach(this: Context) {
    process.env['K3_FUZZ_TITLE'] = this.currentTest?.fullTitle() ?? '';
  },
};
