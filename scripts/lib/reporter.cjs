/**
 * Prints like mocha's spec reporter, and writes the counts, the failures, and the duration of each test and hook to the
 * file K3_TEST_COUNTS.
 * With K3_TEST_MUST_END, the process has ten seconds to exit after the last test: handles that a test left open are a
 * failure, not an endless wait.
 */
const { writeFileSync } = require('node:fs');
const { reporters } = require('mocha');

// Mocha’s command makes errors record all frames, also those of async functions. Some tests create thousands of errors, which makes a run
// an eighth slower. Ten frames are the default of Node.
if (Error.stackTraceLimit === Number.POSITIVE_INFINITY) Error.stackTraceLimit = 10;

// Kept here, because tests replace the clock.
const { setTimeout } = globalThis;

module.exports = class extends reporters.Spec {
  constructor(runner, options) {
    super(runner, options);
    const tests = [];
    const failures = [];
    runner.on('test end', (test) => {
      if (test.duration > 0) tests.push({ title: test.fullTitle(), ms: test.duration });
    });
    runner.on('hook end', (hook) => {
      const { duration, title, parent } = hook;
      if (duration > 0) tests.push({ title: `${parent?.fullTitle() ?? ''} ${title}`.trim(), ms: duration });
    });
    runner.on('fail', (test, error) => {
      failures.push({ title: test.fullTitle(), why: error?.stack ?? String(error) });
    });
    runner.once('end', () => {
      const file = process.env.K3_TEST_COUNTS;
      const { passes: passed, failures: failed } = runner.stats;
      if (file) writeFileSync(file, JSON.stringify({ passed, failed, tests, failures }));
      if (process.env.K3_TEST_MUST_END) {
        setTimeout(() => {
          console.error(`Left open by a test: ${process.getActiveResourcesInfo().join(', ')}.`);
          // Mocha sets the exit code on exit. This handler is registered later and overrides it.
          process.on('exit', () => {
            process.exitCode = 1;
          });
          process.exit();
        }, 10_000).unref();
      }
    });
  }
};
