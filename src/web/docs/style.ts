/**
 * Style of the bar above the reference, in the colours of the reference.
 *
 * @module
 */

export const STYLE = `
:root { --scalar-custom-header-height: 2.75rem; }
body { margin: 0; }
.bar {
  position: sticky; top: 0; z-index: 10; box-sizing: border-box; height: var(--scalar-custom-header-height);
  display: flex; align-items: center; justify-content: space-between; padding: 0 1.25rem;
  font: 14px/1 system-ui, -apple-system, "Segoe UI", Roboto, "Liberation Sans", sans-serif;
  background: var(--scalar-background-1, Canvas); color: var(--scalar-color-1, CanvasText);
  border-bottom: 1px solid var(--scalar-border-color, GrayText);
}
.bar a { color: inherit; text-decoration: none; }
.bar a:hover { text-decoration: underline; }
.bar strong { font-weight: 650; }
/* The reference focuses the section that a link leads to, which is not a control. */
.section[tabindex="-1"]:focus { outline: none; }
noscript p { padding: 0 1.25rem; }
`;
