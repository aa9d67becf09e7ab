-- Files on their way in, and those that content refers to. While nothing does, they have an end.
CREATE TABLE uploads (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  status TEXT NOT NULL CHECK (status IN ('pending', 'uploaded')),
  parts INTEGER,
  filename TEXT,
  content_type TEXT,
  content_length INTEGER,
  blob TEXT,
  hash TEXT,
  created_time INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  expires_time INTEGER,
  life INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE INDEX uploads_by_hash ON uploads (workspace_id, hash) WHERE hash IS NOT NULL;

CREATE INDEX uploads_by_blob ON uploads (workspace_id, blob) WHERE blob IS NOT NULL;

CREATE INDEX uploads_by_expiry ON uploads (workspace_id, expires_time)
WHERE expires_time IS NOT NULL;

-- Which document refers to which upload; trashed ones do, too.
CREATE TABLE upload_uses (
  workspace_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, node_id, upload_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX uses_by_upload ON upload_uses (workspace_id, upload_id);

-- What to remove from where bytes are kept. No name is given twice, so this can be done at any time.
CREATE TABLE leftovers (
  workspace_id TEXT NOT NULL,
  upload_id TEXT NOT NULL,
  blob TEXT NOT NULL,
  PRIMARY KEY (workspace_id, upload_id, blob)
) STRICT, WITHOUT ROWID;
