/** The tables of the database, and the migrations between their versions. */
import type { Database } from './sqlite.ts';

/** Stored as `user_version` of the file. A database with a later version is not opened. */
export const SCHEMA_VERSION = 4;

/**
 * Text is stored once, in `passage`, which is also what the search index covers. Everything else of a turn is JSON in
 * `record`. The text of a running turn is in `delta` until the turn ends. `spend` is kept when its conversation is
 * deleted. `lease` says which window a conversation runs in.
 */
const VERSION_1 = `
CREATE TABLE conversation (
  id TEXT PRIMARY KEY,
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL,
  title TEXT NOT NULL,
  named INTEGER NOT NULL DEFAULT 0,
  pinned INTEGER NOT NULL DEFAULT 0,
  workspace TEXT,
  forked_from TEXT,
  head TEXT,
  draft TEXT NOT NULL DEFAULT '',
  routes TEXT NOT NULL DEFAULT '[]',
  cost REAL NOT NULL DEFAULT 0,
  unreported INTEGER NOT NULL DEFAULT 0,
  revision INTEGER NOT NULL DEFAULT 0,
  deleted_at INTEGER
);
CREATE INDEX conversation_by_change ON conversation (changed_at);

CREATE TABLE exchange (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  parent_id TEXT,
  position INTEGER NOT NULL,
  shown INTEGER NOT NULL DEFAULT 0,
  question TEXT NOT NULL
);
CREATE INDEX exchange_of_conversation ON exchange (conversation_id, position);

CREATE TABLE turn (
  id TEXT PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  exchange_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  outcome TEXT,
  route TEXT NOT NULL,
  record TEXT NOT NULL
);
CREATE INDEX turn_of_conversation ON turn (conversation_id, position);

CREATE TABLE passage (
  id INTEGER PRIMARY KEY,
  conversation_id TEXT NOT NULL,
  owner_id TEXT NOT NULL,
  part TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE UNIQUE INDEX passage_of_owner ON passage (owner_id, part);
CREATE INDEX passage_of_conversation ON passage (conversation_id);

CREATE TABLE delta (
  id INTEGER PRIMARY KEY,
  turn_id TEXT NOT NULL,
  part TEXT NOT NULL,
  text TEXT NOT NULL
);
CREATE INDEX delta_of_turn ON delta (turn_id);

CREATE TABLE image (
  hash TEXT PRIMARY KEY,
  type TEXT NOT NULL,
  bytes BLOB NOT NULL
);

CREATE TABLE spend (
  turn_id TEXT PRIMARY KEY,
  at INTEGER NOT NULL,
  conversation_id TEXT NOT NULL,
  route TEXT NOT NULL,
  model TEXT NOT NULL,
  outcome TEXT NOT NULL,
  prompt_tokens INTEGER,
  cached_tokens INTEGER,
  reasoning_tokens INTEGER,
  answer_tokens INTEGER,
  cost REAL,
  first_token_ms INTEGER
);
CREATE INDEX spend_by_time ON spend (at);
CREATE INDEX spend_of_conversation ON spend (conversation_id);

CREATE TABLE lease (
  conversation_id TEXT PRIMARY KEY,
  window TEXT NOT NULL,
  pid INTEGER NOT NULL,
  place TEXT NOT NULL,
  until INTEGER NOT NULL
);

CREATE VIRTUAL TABLE search USING fts5(
  text, content='passage', content_rowid='id', tokenize='unicode61 remove_diacritics 2', prefix='2 3'
);
CREATE TRIGGER passage_added AFTER INSERT ON passage BEGIN
  INSERT INTO search (rowid, text) VALUES (new.id, new.text);
END;
CREATE TRIGGER passage_removed AFTER DELETE ON passage BEGIN
  INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text);
END;
CREATE TRIGGER passage_changed AFTER UPDATE OF text ON passage BEGIN
  INSERT INTO search (search, rowid, text) VALUES ('delete', old.id, old.text);
  INSERT INTO search (rowid, text) VALUES (new.id, new.text);
END;
`;

/** Queued messages, as JSON. Like a draft, they are kept when the window closes. */
const VERSION_2 = "ALTER TABLE conversation ADD COLUMN queue TEXT NOT NULL DEFAULT '[]';";

/** The rounds of turns with tools: calls and results, as JSON. Their text is in `passage`. */
const VERSION_3 = `
CREATE TABLE round (
  turn_id TEXT NOT NULL,
  position INTEGER NOT NULL,
  record TEXT NOT NULL
);
CREATE UNIQUE INDEX round_of_turn ON round (turn_id, position);
`;

/**
 * Unsent parts besides the text of the draft, as JSON: images, context, the question that is being edited, and choices. Each part is
 * a row, so that typing in an edited question doesn't write the images again.
 */
const VERSION_4 = `
CREATE TABLE unsent (
  conversation_id TEXT NOT NULL,
  part TEXT NOT NULL,
  record TEXT NOT NULL,
  PRIMARY KEY (conversation_id, part)
);
`;

/** The migrations. Each leads from the version of its index (0: empty) to the next. */
const MIGRATIONS: readonly string[] = [VERSION_1, VERSION_2, VERSION_3, VERSION_4];

export function versionOf(db: Database): number {
  return Number(db.prepare('PRAGMA user_version').get()?.['user_version'] ?? 0);
}

/** Migrates the tables to the current version in one transaction. */
export function migrate(db: Database): void {
  db.exec('BEGIN IMMEDIATE');
  try {
    for (const step of MIGRATIONS.slice(versionOf(db))) db.exec(step);
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION}`);
    db.exec('COMMIT');
  } catch (error) {
    if (db.isTransaction) db.exec('ROLLBACK');
    throw error;
  }
}
