/**
 * The defaults of `recto import notion`.
 *
 * @module
 */

/** The word in place of PATH. */
export const NOTION = "notion";
export const DEFAULT_FOLDER = "recto-notion";
export const DEFAULT_SOURCE = "https://api.notion.com";
/** The variable with the token of the source, which no other user of the machine can read. */
export const NOTION_TOKEN = "NOTION_TOKEN";
