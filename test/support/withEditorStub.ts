/** Loads modules of the editor's rooms in plain Node. */
import { registerHooks } from 'node:module';

const stub = new URL('./editorStub.ts', import.meta.url).href;

/** All callers share one stub for the module `vscode`, because Node loads each module of `src` once. */
export async function withEditorStub<Modules>(load: () => Promise<Modules>): Promise<Modules> {
  const hooks = registerHooks({
    resolve: (specifier, context, next) =>
      specifier === 'vscode' ? { url: stub, shortCircuit: true } : next(specifier, context),
  });
  try {
    return await load();
  } finally {
    hooks.deregister();
  }
}
