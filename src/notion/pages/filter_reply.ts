/**
 * Replies to writes with some of a page's properties.
 *
 * @module
 */
import { findValues, type Properties } from "../../content/properties/mod.ts";
import type { WriteDecision } from "../../api/shared/write.ts";

/**
 * Returns the decision with the named properties alone in its reply; all of them without names. Throws
 * `validation_error` with every name that the page has no property for, before anything is written.
 */
export function filterReply(
  decision: WriteDecision,
  names: readonly string[] | undefined,
): WriteDecision {
  if (names === undefined) return decision;
  // Sound because every reply with a page has this form.
  const page = JSON.parse(String(decision.reply.body)) as { readonly properties: Properties };
  const found = findValues(page.properties, names);
  const entries = Object.entries(page.properties).filter(([, value]) => found.includes(value));
  const body = JSON.stringify({ ...page, properties: Object.fromEntries(entries) });
  // Without the tag, which is that of the whole page.
  return { ...decision, reply: { body } };
}
