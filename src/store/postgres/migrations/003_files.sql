-- Files on their way in, and those that content refers to. While nothing does, they have an end.
CREATE TABLE uploads (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  status text NOT NULL CHECK (status IN ('pending', 'uploaded')),
  parts integer,
  filename text,
  content_type text,
  content_length bigint,
  blob text COLLATE "C",
  hash text COLLATE "C",
  created_time bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  expires_time bigint,
  life bigint NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE INDEX uploads_by_hash ON uploads (workspace_id, hash) WHERE hash IS NOT NULL;

CREATE INDEX uploads_by_blob ON uploads (workspace_id, blob) WHERE blob IS NOT NULL;

CREATE INDEX uploads_by_expiry ON uploads (workspace_id, expires_time)
WHERE expires_time IS NOT NULL;

-- Which document refers to which upload; trashed ones do, too.
CREATE TABLE upload_uses (
  workspace_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  upload_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, node_id, upload_id)
);

CREATE INDEX uses_by_upload ON upload_uses (workspace_id, upload_id);

-- What to remove from where bytes are kept. No name is given twice, so this can be done at any time.
CREATE TABLE leftovers (
  workspace_id text COLLATE "C" NOT NULL,
  upload_id text COLLATE "C" NOT NULL,
  blob text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, upload_id, blob)
);
