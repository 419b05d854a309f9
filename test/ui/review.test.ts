/**
 * Changes and findings of the model in a real workbench; then the main use, tools, and faults with services that are not ours, over plain
 * HTTP. The modules share a window, and run in this order: the first begins with the views that a new window has, the second with files
 * that Git has as they are; the reload of `restored.ts` keeps what the three before it leave; before the plus signs, nothing was under
 * review for a while; the last replaces the settings, and fills the disk.
 */
import './review/looks.ts';
import './review/findings.ts';
import './review/hunkByHunk.ts';
import './review/applied.ts';
import './review/restored.ts';
import './review/commit.ts';
import './review/proposals.ts';
import './review/editHere.ts';
import './review/day.ts';
import './foreign/toolTurns.ts';
import './foreign/aimock.ts';
import './foreign/strictService.ts';
import './review/plusSigns.ts';
import './foreign/projectFiles.ts';
import './foreign/daysWork.ts';
import './foreign/edits.ts';
import './foreign/longWork.ts';
import './foreign/revisions.ts';
import './foreign/faults.ts';
