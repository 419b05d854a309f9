/** The id of `@k3` in package.json. */
export const PARTICIPANT = 'k3.participant';
