-- All that is in a page, read at once; with it what mentions others, whose names are read apart.
CREATE INDEX nodes_in_container ON nodes (workspace_id, container_id, trash_root, has_mentions);
