/**
 * The main use, tools, and faults with services that are not ours, over plain HTTP, in a real workbench. The modules share a
 * window, and run in this order: the last replaces the settings, and fills the disk.
 */
import './foreign/stage.ts';
import './foreign/toolTurns.ts';
import './foreign/aimock.ts';
import './foreign/strictService.ts';
import './foreign/projectFiles.ts';
import './foreign/probes.ts';
import './foreign/daysWork.ts';
import './foreign/attempts.ts';
import './foreign/edits.ts';
import './foreign/longWork.ts';
import './foreign/revisions.ts';
import './foreign/fullWindow.ts';
import './foreign/faults.ts';
