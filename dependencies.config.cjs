/**
 * Which folder may import which: the floors of docs/architecture.md, from the ground up. `npm run check` runs
 * dependency-cruiser with it, types included.
 */

/** Folders of `src`: what each may import besides itself. */
const FOLDERS = {
  validation: [],
  text: [],
  access: [],
  service: [],
  chat: ['service', 'text'],
  history: ['chat', 'service', 'validation'],
  review: ['validation', 'text', 'access'],
  turns: ['service', 'chat', 'review'],
  panel: ['chat', 'review'],
  emulator: ['service', 'text'],
  webview: ['panel'],
};

/** Rooms of the editor: each may import those before it. */
const ROOMS = [
  'base',
  'wording',
  'storage',
  'connection',
  'workspace',
  'conversations',
  'images',
  'composer',
  'structured',
  'code',
  'proposals',
  'findings',
  'tools',
  'chatView',
  'languageModel',
  'reasoning',
  'problems',
  'usage',
  'diagnostics',
];

const ANY_OF = (names) => `(?:${names.join('|')})`;

const folderRules = Object.entries(FOLDERS).map(([folder, allowed]) => ({
  name: `${folder}-imports-only-${allowed.join('-') || 'itself'}`,
  comment: `src/${folder} may import ${['itself', ...allowed].join(', ')}.`,
  severity: 'error',
  from: { path: `^src/${folder}/` },
  to: { path: '^src/', pathNot: `^src/${ANY_OF([folder, ...allowed])}/` },
}));

const roomRules = ROOMS.slice(0, -1).map((room, index) => ({
  name: `${room}-imports-no-room-above-it`,
  comment: `src/editor/${room} may import the rooms before it: ${ROOMS.slice(0, index).join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: `^src/editor/${room}/` },
  to: { path: `^src/editor/${ANY_OF(ROOMS.slice(index + 1))}/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'A circle of imports, one of types included, says that two files are one.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'vscode-only-in-editor',
      comment:
        'Only src/editor and src/extension.ts know VS Code; all else runs in plain Node or in a browser.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:editor/|extension\\.ts$)' },
      to: { path: '^vscode$' },
    },
    {
      name: 'editor-imports-no-webview',
      comment: 'The panel is a program of its own: the editor knows its messages, in src/panel.',
      severity: 'error',
      from: { path: '^src/editor/' },
      to: { path: '^src/(?:webview/|extension\\.ts$)' },
    },
    {
      name: 'no-unknown-room',
      comment: 'A folder of the editor has its place in the order of rooms, in dependencies.config.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/editor/', pathNot: `^src/editor/${ANY_OF(ROOMS)}/` },
    },
    {
      name: 'no-unknown-folder',
      comment: 'A folder of src says what it may import, in dependencies.config.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/${ANY_OF([...Object.keys(FOLDERS), 'editor'])}/` },
    },
    {
      name: 'emulator-request-rules-know-no-answers',
      comment: 'What the service refuses is decided before anything is answered.',
      severity: 'error',
      from: { path: '^src/emulator/requestRules/' },
      to: { path: '^src/emulator/(?:demo|scenarios)/' },
    },
    {
      name: 'emulator-demo-knows-no-scenarios',
      severity: 'error',
      from: { path: '^src/emulator/demo/' },
      to: { path: '^src/emulator/scenarios/' },
    },
    ...folderRules,
    ...roomRules,
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'] },
  },
};
