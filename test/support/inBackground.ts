/** For work that nobody waits for: if it rejects, the run of the tests fails. */
export const inBackground = (work: Promise<unknown>): void => void work;
