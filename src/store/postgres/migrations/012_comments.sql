-- Comments on pages and blocks. They go with their node to the trash and back: whether they live, it
-- alone says.
CREATE TABLE comments (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL CHECK (id <> ''),
  discussion_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  -- The page or database that its words are found in.
  page_id text COLLATE "C" NOT NULL,
  doc text NOT NULL,
  has_mentions boolean NOT NULL,
  version integer NOT NULL,
  created_time bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  edited_time bigint NOT NULL,
  edited_by text COLLATE "C" NOT NULL,
  checksum integer NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE INDEX comments_of_node ON comments (workspace_id, node_id, created_time, id);

CREATE INDEX comments_of_page ON comments (workspace_id, page_id, created_time, id);

CREATE INDEX comments_of_discussion ON comments (workspace_id, discussion_id, created_time, id);

-- The address that the service fetches a file from, and why it could not.
ALTER TABLE uploads ADD COLUMN source_url text;

ALTER TABLE uploads ADD COLUMN failure text;

CREATE INDEX uploads_by_creator ON uploads (workspace_id, created_by, id);
