/**
 * An error whose message is for the user. The editor shows it if it has run the command that failed, and otherwise
 * `actInBackground` does.
 */
export class ToldError extends Error {}
