/** Names in package.json of what K3 provides to other chats. */

/** The editor accepts letters, digits, `_`, and `-` in names of tools. */
export const ASK_TOOL = 'k3_ask_svc_k3';

export const PARTICIPANT = 'k3.participant';
