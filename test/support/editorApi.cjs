/** What tests get for `vscode`: the API object that `editorRun.ts` imported. */
module.exports = globalThis.k3EditorApi;
