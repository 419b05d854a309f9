/** A thread that acts as a window which is about to write to a database that is not in WAL mode yet. */
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as pause } from 'node:timers/promises';
import { parentPort, workerData } from 'node:worker_threads';

const db = new DatabaseSync(workerData.path);
db.exec('BEGIN IMMEDIATE');
parentPort?.postMessage('reserved');
await pause(200);
db.exec('COMMIT');
db.close();
