/** The contrast of colors, as WCAG defines it. */

/** Red, green, and blue from 0 to 255, and the opacity. Examples of colors: `rgb(1, 2, 3)`, `rgba(1, 2, 3, 0.5)`, `#010203`. */
function partsOf(color: string): readonly [number, number, number, number] {
  const [red = 0, green = 0, blue = 0, opacity = 1] = color.startsWith('#')
    ? [1, 3, 5].map((at) => Number.parseInt(color.slice(at, at + 2), 16))
    : (color.match(/[\d.]+/g) ?? []).map(Number);
  return [red, green, blue, opacity];
}

function luminanceOf(parts: readonly number[]): number {
  const [red = 0, green = 0, blue = 0] = parts.map((part) => {
    const value = part / 255;
    return value <= 0.04045 ? value / 12.92 : ((value + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue;
}

/** The contrast of a color, which may be translucent, with an opaque background: 1 to 21. */
export function contrastOf(color: string, background: string): number {
  const [red, green, blue, opacity] = partsOf(color);
  const below = partsOf(background).slice(0, 3);
  const seen = [red, green, blue].map((part, at) => part * opacity + (below[at] ?? 0) * (1 - opacity));
  const [dark = 0, light = 0] = [luminanceOf(seen), luminanceOf(below)].sort((a, b) => a - b);
  return (light + 0.05) / (dark + 0.05);
}
