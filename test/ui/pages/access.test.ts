/** The pages for everyone: by keyboard, by screen reader, and in every theme. The pages are alone in a browser. */
import './access/axe.ts';
import './access/keys.ts';
