/**
 * Leaving out the parts of pages in the trash.
 *
 * @module
 */

/**
 * The condition that the page of part `p` is not in the trash. A scalar subquery, so that the planner
 * looks each page up by its key and does not join all nodes.
 */
export const NOT_TRASHED = `(
  SELECT n.trash_root = '' FROM nodes n WHERE n.workspace_id = $1 AND n.id = p.page_id
)`;
