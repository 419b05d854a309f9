/** What goes with a message in a real workbench: images, and the format of the answer. The modules share a window. */
import './composer/images.ts';
import './composer/format.ts';
