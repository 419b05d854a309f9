/** Where the focus is in a workbench. */
import type { Workbench } from './workbench.ts';

/** Where the focus is in the editor, and whether that is a page of an extension. */
export async function focusIn({
  page,
}: Workbench): Promise<{ readonly place: string; readonly isPage: boolean }> {
  const describe = `((element) => element && \`<\${element.localName} class="\${element.className}">\`)(document.activeElement)`;
  const places: string[] = [];
  for (const frame of page.frames()) {
    const place = await frame.evaluate<string>(`document.hasFocus() ? ${describe} : ''`).catch(() => '');
    if (place) places.push(place);
  }
  return { place: places.join(', in it '), isPage: places.length > 1 || /^<iframe/.test(places[0] ?? '') };
}
