/**
 * The name of a page. A title stays one: it is never turned into another type.
 *
 * @module
 */
import { texts } from "../shared/operators.ts";
import { richTextKind } from "../shared/rich_text.ts";

export const title = {
  ...richTextKind,
  conditions: { operators: texts, alsoNamed: ["rich_text", "text"] },
};
