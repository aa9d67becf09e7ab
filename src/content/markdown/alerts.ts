/**
 * GitHub's alerts, which are callouts: quotes that begin with `[!NOTE]` and the like.
 *
 * @module
 */
import type { Blockquote, Paragraph, PhrasingContent, RootContent } from "mdast";
import type { BlockValue } from "../blocks/types.ts";
import type { Color } from "../values/colors.ts";
import { firstEscapeIn } from "./escapes.ts";

interface Alert {
  readonly emoji: string;
  readonly color: Color;
}

const ALERTS: ReadonlyMap<string, Alert> = new Map([
  ["NOTE", { emoji: "ℹ️", color: "blue_background" }],
  ["TIP", { emoji: "💡", color: "green_background" }],
  ["IMPORTANT", { emoji: "❗", color: "purple_background" }],
  ["WARNING", { emoji: "⚠️", color: "yellow_background" }],
  ["CAUTION", { emoji: "🛑", color: "red_background" }],
]);

const MARKER = /^\[!(NOTE|TIP|IMPORTANT|WARNING|CAUTION)\][ \t]*(?:\n|$)/i;

/** The look of an alert, and its content without the marker; undefined for an ordinary quote. */
export function alertIn(
  { children: [first, ...rest] }: Blockquote,
): { readonly alert: Alert; readonly content: readonly RootContent[] } | undefined {
  const [text, ...more] = first?.type === "paragraph" ? first.children : [];
  if (text?.type !== "text") return undefined;
  const [marker, name = ""] = MARKER.exec(text.value) ?? [];
  const alert = ALERTS.get(name.toUpperCase());
  if (marker === undefined || alert === undefined) return undefined;
  // With an escape, it is a quote of this text.
  if (firstEscapeIn(text) < marker.length) return undefined;
  // Only a line break may follow the marker.
  if (marker === text.value && more.length > 0 && more[0]?.type !== "break") return undefined;
  const left = text.value.slice(marker.length);
  const behind = left === "" && more[0]?.type === "break" ? more.slice(1) : more;
  const shown: PhrasingContent[] = [
    ...(left === "" ? [] : [{ type: "text" as const, value: left }]),
    ...behind,
  ];
  const paragraph: Paragraph[] = shown.length === 0 ? [] : [{ type: "paragraph", children: shown }];
  return { alert, content: [...paragraph, ...rest] };
}

/** The name of the alert that a callout looks like; undefined for other callouts. */
export function alertOf({ icon, color }: BlockValue): string | undefined {
  if (typeof icon !== "object" || icon === null || !("emoji" in icon)) return undefined;
  for (const [name, alert] of ALERTS) {
    if (alert.emoji === icon.emoji && alert.color === color) return name;
  }
  return undefined;
}
