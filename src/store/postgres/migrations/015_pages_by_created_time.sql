-- Searches list pages and databases by when they were created, too.
CREATE INDEX pages_by_created_time ON nodes (workspace_id, kind, created_time, id)
WHERE kind <> 'block' AND trash_root = '';
