/**
 * Runs in a page: how far every piece of text stands out from what lies behind it.
 *
 * @module
 */

/** The text of each element beside its contrast ratio (WCAG 2.2); what is hidden is left out. */
export function contrasts() {
  const channels = (color) => color.match(/[\d.]+/g)?.map(Number) ?? [];
  const groundOf = (element) => {
    if (element === null) return [255, 255, 255];
    const [r, g, b, alpha = 1] = channels(getComputedStyle(element).backgroundColor);
    return alpha === 0 ? groundOf(element.parentElement) : [r, g, b];
  };
  const luminance = (color) => {
    const [r, g, b] = color.slice(0, 3).map((value) => {
      const part = value / 255;
      return part <= 0.04045 ? part / 12.92 : ((part + 0.055) / 1.055) ** 2.4;
    });
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const hasText = (element) =>
    [...element.childNodes].some((node) => node.nodeType === 3 && node.textContent.trim());
  return [...document.querySelectorAll("body *")]
    .filter((element) => element.checkVisibility() && !element.closest(".sr, script"))
    .filter(hasText)
    .map((element) => {
      const ink = luminance(channels(getComputedStyle(element).color));
      const ground = luminance(groundOf(element));
      const ratio = (Math.max(ink, ground) + 0.05) / (Math.min(ink, ground) + 0.05);
      return { text: element.textContent, ratio };
    });
}
