/**
 * Leaves the library `debug` out of the bundle. It writes messages to a terminal if an environment variable is set, and the search
 * for secrets would write names of files.
 */

/** @type {import('esbuild').Plugin} */
export const withoutDebug = {
  name: 'without-debug',
  setup(build) {
    build.onResolve({ filter: /^debug$/ }, () => ({ path: 'debug', namespace: 'without-debug' }));
    build.onLoad({ filter: /.*/, namespace: 'without-debug' }, () => ({
      contents: 'export default () => () => undefined;',
    }));
  },
};
