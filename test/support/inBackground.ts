/** For work that isn't awaited: if it rejects, the test run fails. */
export const inBackground = (work: Promise<unknown>): void => void work;
