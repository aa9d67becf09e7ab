-- Keys are compared as bytes, whatever the database's own collation is: so are those of SQLite, and
-- positions and cursors depend on it.
CREATE TABLE nodes (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL CHECK (id <> ''),
  kind text NOT NULL CHECK (kind IN ('page', 'database', 'block')),
  type text NOT NULL,
  parent_kind text NOT NULL CHECK (parent_kind IN ('workspace', 'page', 'database', 'block')),
  -- Empty at the top of the workspace, so that positions are unique there too.
  parent_id text COLLATE "C" NOT NULL,
  container_id text COLLATE "C",
  position text COLLATE "C" NOT NULL,
  title text NOT NULL,
  -- Text, not jsonb: it is sent as it is, byte for byte.
  doc text NOT NULL,
  has_mentions boolean NOT NULL,
  version integer NOT NULL,
  created_time bigint NOT NULL,
  created_by text COLLATE "C" NOT NULL,
  edited_time bigint NOT NULL,
  edited_by text COLLATE "C" NOT NULL,
  -- Empty while it lives, so that one equality finds by index what shares its parent's state.
  trash_root text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, id),
  UNIQUE (workspace_id, parent_id, position),
  CHECK ((parent_kind = 'workspace') = (parent_id = ''))
);

-- Beside the unique key, so that a full trash costs a listing nothing.
CREATE INDEX nodes_children ON nodes (workspace_id, parent_id, trash_root, position);

CREATE INDEX nodes_in_trash ON nodes (workspace_id, trash_root) WHERE trash_root <> '';

-- All that is in a page, read at once; with it what mentions others, whose names are read apart.
CREATE INDEX nodes_in_container ON nodes (workspace_id, container_id, trash_root, has_mentions);

-- One row a workspace: its writers take turns on it.
CREATE TABLE workspaces (
  workspace_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id)
);

CREATE TABLE users (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  type text NOT NULL CHECK (type IN ('person', 'bot')),
  name text,
  email text,
  avatar_url text,
  PRIMARY KEY (workspace_id, id)
);

CREATE TABLE receipts (
  workspace_id text COLLATE "C" NOT NULL,
  key text COLLATE "C" NOT NULL,
  fingerprint text NOT NULL,
  status integer NOT NULL,
  etag text,
  body text NOT NULL,
  created_time bigint NOT NULL,
  expires_time bigint NOT NULL,
  PRIMARY KEY (workspace_id, key)
);

CREATE INDEX receipts_by_expiry ON receipts (workspace_id, expires_time);

-- Secrets are the whole service's: their workspace is empty.
CREATE TABLE secrets (
  workspace_id text COLLATE "C" NOT NULL CHECK (workspace_id = ''),
  name text COLLATE "C" NOT NULL,
  value bytea NOT NULL,
  PRIMARY KEY (workspace_id, name)
);
