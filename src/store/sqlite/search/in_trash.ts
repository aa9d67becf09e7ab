/**
 * Leaving out the parts of pages in the trash.
 *
 * @module
 */

/**
 * The condition that the page of part `p` is not in the trash. The index has only pages that are, so
 * that no page is read for it.
 */
export const NOT_TRASHED = `NOT EXISTS (
  SELECT 1 FROM nodes n INDEXED BY pages_in_trash
  WHERE n.workspace_id = p.workspace_id AND n.id = p.page_id
    AND n.trash_root IS NOT NULL AND n.kind <> 'block'
)`;
