/** The name in package.json of the tool for other models. The editor accepts letters, digits, `_`, and `-`. */
export const ASK_TOOL = 'k3_ask_svc_k3';
