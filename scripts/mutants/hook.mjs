/** Loaded before the tests: gives Node the changed text of one file, which the file K3_MUTANT names, and no other. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { url, source } = JSON.parse(readFileSync(process.env['K3_MUTANT'] ?? '', 'utf8'));

registerHooks({
  load: (asked, context, next) =>
    asked === url ? { format: 'module-typescript', source, shortCircuit: true } : next(asked, context),
});
