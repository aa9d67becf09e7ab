-- Comments on pages and blocks. They go with their node to the trash and back: whether they live, it
-- alone says.
CREATE TABLE comments (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL CHECK (id <> ''),
  discussion_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  -- The page or database that its words are found in.
  page_id TEXT NOT NULL,
  doc TEXT NOT NULL,
  has_mentions INTEGER NOT NULL CHECK (has_mentions IN (0, 1)),
  version INTEGER NOT NULL,
  created_time INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  edited_time INTEGER NOT NULL,
  edited_by TEXT NOT NULL,
  checksum INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;

CREATE INDEX comments_of_node ON comments (workspace_id, node_id, created_time, id);

CREATE INDEX comments_of_page ON comments (workspace_id, page_id, created_time, id);

CREATE INDEX comments_of_discussion ON comments (workspace_id, discussion_id, created_time, id);

-- The address that the service fetches a file from, and why it could not.
ALTER TABLE uploads ADD COLUMN source_url TEXT;

ALTER TABLE uploads ADD COLUMN failure TEXT;

CREATE INDEX uploads_by_creator ON uploads (workspace_id, created_by, id);
