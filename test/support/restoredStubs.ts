/** Restores functions of the editor's stub that a test has replaced. */
import { afterEach } from 'mocha';

/** Restores the properties of these objects or classes, and removes added ones, after each test of the `describe` that calls it. */
export function restoreAfterEach(...stubs: readonly object[]): void {
  const originals = stubs.map((stub) => [stub, Object.getOwnPropertyDescriptors(stub)] as const);
  afterEach(() => {
    for (const [stub, original] of originals) {
      for (const name of Object.keys(stub)) if (!(name in original)) Reflect.deleteProperty(stub, name);
      Object.defineProperties(stub, original);
    }
  });
}
