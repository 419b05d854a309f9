/**
 * Leaves `debug` out of the bundle, which writes messages to a terminal when an environment variable asks for it. The search
 * for secrets gives it the names of files, which don't belong there.
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
