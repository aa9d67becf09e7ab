-- A page tells whether it is in the trash. Noted in its parts, that rewrote all text of the page.
ALTER TABLE search_parts DROP COLUMN trashed;

CREATE INDEX pages_in_trash ON nodes (workspace_id, id)
WHERE trash_root IS NOT NULL AND kind <> 'block';
