/**
 * Which folder may import which: the layers of docs/architecture.md. `npm run check` runs dependency-cruiser with these
 * rules. Imports of types count as well.
 */

/** Folders of `src`, and what each may import besides itself. */
const FOLDERS = {
  validation: [],
  text: [],
  access: ['text'],
  service: [],
  conversation: ['service', 'text'],
  instructions: ['conversation', 'service'],
  history: ['conversation', 'service', 'text', 'validation'],
  review: ['validation', 'text', 'access'],
  spending: ['service', 'conversation'],
  requests: ['service', 'conversation', 'review', 'spending'],
  probe: ['service', 'conversation', 'requests', 'validation'],
  panel: ['conversation', 'review'],
  emulator: ['service', 'text'],
  webview: ['panel'],
};

/** Rooms of `src/editor`. Each may import the rooms before it. */
const ROOMS = [
  'base',
  'settings',
  'wording',
  'cards',
  'storage',
  'connection',
  'workspace',
  'conversations',
  'images',
  'terminal',
  'context',
  'composer',
  'structured',
  'code',
  'proposals',
  'inPlace',
  'findings',
  'tools',
  'chatView',
  'languageModel',
  'participant',
  'reasoning',
  'problems',
  'usage',
  'diagnostics',
];

/** Rooms of `src/webview` for the chat. Each may import the rooms before it. The usage page imports none of them. */
const CHAT_ROOMS = ['base', 'text', 'json', 'find', 'why', 'turnMap', 'composer', 'transcript', 'chat'];

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

const chatRoomRules = CHAT_ROOMS.slice(0, -1).map((room, index) => ({
  name: `webview-${room}-imports-no-room-above-it`,
  comment: `src/webview/${room} may import the rooms before it: ${CHAT_ROOMS.slice(0, index).join(', ') || 'none'}.`,
  severity: 'error',
  from: { path: `^src/webview/${room}/` },
  to: { path: `^src/webview/${ANY_OF(CHAT_ROOMS.slice(index + 1))}/` },
}));

module.exports = {
  forbidden: [
    {
      name: 'no-circles',
      comment: 'Circular imports, of types as well, show that the files belong together.',
      severity: 'error',
      from: {},
      to: { circular: true },
    },
    {
      name: 'vscode-only-in-editor',
      comment:
        'Only src/editor and src/extension.ts use VS Code. Everything else runs in plain Node or in a browser.',
      severity: 'error',
      from: { path: '^src/', pathNot: '^src/(?:editor/|extension\\.ts$)' },
      to: { path: '^vscode$' },
    },
    {
      name: 'editor-imports-no-webview',
      comment: 'The webview is a separate program. The editor uses only its messages, in src/panel.',
      severity: 'error',
      from: { path: '^src/editor/' },
      to: { path: '^src/(?:webview/|extension\\.ts$)' },
    },
    {
      name: 'no-unknown-room',
      comment: 'Add the folder to the list of rooms in dependencies.config.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/editor/', pathNot: `^src/editor/${ANY_OF(ROOMS)}/` },
    },
    {
      name: 'no-unknown-folder',
      comment: 'Add the folder, and what it may import, to dependencies.config.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/[^/]+/', pathNot: `^src/${ANY_OF([...Object.keys(FOLDERS), 'editor'])}/` },
    },
    {
      name: 'emulator-request-rules-know-no-answers',
      comment: 'The rules check a request before it is answered, so they do not use the answers.',
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
    {
      name: 'no-unknown-webview-room',
      comment: 'Add the folder to the list of rooms in dependencies.config.cjs.',
      severity: 'error',
      from: {},
      to: { path: '^src/webview/', pathNot: `^src/webview/${ANY_OF([...CHAT_ROOMS, 'usage'])}/` },
    },
    {
      name: 'usage-page-is-apart',
      comment: 'The chat and the usage page are two programs.',
      severity: 'error',
      from: { path: '^src/webview/usage/' },
      to: { path: `^src/webview/${ANY_OF(CHAT_ROOMS)}/` },
    },
    {
      name: 'chat-knows-no-usage-page',
      severity: 'error',
      from: { path: `^src/webview/${ANY_OF(CHAT_ROOMS)}/` },
      to: { path: '^src/webview/usage/' },
    },
    ...folderRules,
    ...roomRules,
    ...chatRoomRules,
  ],
  options: {
    parser: 'swc',
    tsPreCompilationDeps: true,
    doNotFollow: { path: 'node_modules' },
    enhancedResolveOptions: { extensions: ['.ts', '.js', '.mjs'] },
  },
};
