/** A thread that acts as a window that is about to write to a database that isn't in WAL mode yet. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

assert.ok(parentPort);
const db = new DatabaseSync(workerData.path);
db.exec('BEGIN IMMEDIATE');
parentPort.postMessage('reserved');
// The other thread is blocked from the next line on, so this thread reports before that it begins.
await once(parentPort, 'message');
await pause(200);
db.exec('COMMIT');
db.close();
