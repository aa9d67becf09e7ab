CREATE TABLE nodes (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL CHECK (id <> ''),
  kind TEXT NOT NULL CHECK (kind IN ('page', 'database', 'block')),
  type TEXT NOT NULL,
  parent_kind TEXT NOT NULL CHECK (parent_kind IN ('workspace', 'page', 'database', 'block')),
  -- Empty at the top of the workspace, so that positions are unique there too.
  parent_id TEXT NOT NULL,
  container_id TEXT,
  position TEXT NOT NULL,
  title TEXT NOT NULL,
  doc TEXT NOT NULL,
  has_mentions INTEGER NOT NULL CHECK (has_mentions IN (0, 1)),
  version INTEGER NOT NULL,
  created_time INTEGER NOT NULL,
  created_by TEXT NOT NULL,
  edited_time INTEGER NOT NULL,
  edited_by TEXT NOT NULL,
  trash_root TEXT,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, parent_id, position),
  CHECK ((parent_kind = 'workspace') = (parent_id = ''))
) STRICT;

-- Beside the unique key, so that a full trash costs a listing nothing.
CREATE INDEX nodes_children ON nodes (workspace_id, parent_id, trash_root, position);

CREATE INDEX nodes_in_trash ON nodes (workspace_id, trash_root) WHERE trash_root IS NOT NULL;

CREATE TABLE users (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('person', 'bot')),
  name TEXT,
  email TEXT,
  avatar_url TEXT,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

CREATE TABLE receipts (
  workspace_id TEXT NOT NULL,
  key TEXT NOT NULL,
  fingerprint TEXT NOT NULL,
  status INTEGER NOT NULL,
  etag TEXT,
  body TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  expires_time INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, key)
) STRICT;

CREATE INDEX receipts_by_expiry ON receipts (workspace_id, expires_time);

-- Secrets are the whole service's: their workspace is empty.
CREATE TABLE secrets (
  workspace_id TEXT NOT NULL CHECK (workspace_id = ''),
  name TEXT NOT NULL,
  value BLOB NOT NULL,
  PRIMARY KEY (workspace_id, name)
) STRICT, WITHOUT ROWID;
