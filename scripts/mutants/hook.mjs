/** Loaded before the tests: gives Node the changed text of one source file. The file in K3_MUTANT says which file, and its text. */
import { readFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

const { url, source } = JSON.parse(readFileSync(process.env['K3_MUTANT'] ?? '', 'utf8'));

registerHooks({
  load: (asked, context, next) =>
    asked === url ? { format: 'module-typescript', source, shortCircuit: true } : next(asked, context),
});
