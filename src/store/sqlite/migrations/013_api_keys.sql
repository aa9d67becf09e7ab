-- An API key is a bot of its workspace: its ID is the ID of that user.
CREATE TABLE api_keys (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  name TEXT NOT NULL,
  -- Separated by spaces.
  scopes TEXT NOT NULL,
  created_time INTEGER NOT NULL,
  expires_time INTEGER,
  revoked_time INTEGER,
  -- The start of the hour of its last use.
  used_time INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT, WITHOUT ROWID;

-- The SHA-256 of each secret, in hexadecimal. A request says no workspace, so the whole service looks
-- here. The secret that a rotation replaced has a time at which it ends.
CREATE TABLE api_key_secrets (
  workspace_id TEXT NOT NULL CHECK (workspace_id = ''),
  hash TEXT NOT NULL,
  key_workspace TEXT NOT NULL,
  key_id TEXT NOT NULL,
  expires_time INTEGER,
  PRIMARY KEY (workspace_id, hash)
) STRICT, WITHOUT ROWID;

CREATE INDEX api_key_secrets_of_key ON api_key_secrets (workspace_id, key_workspace, key_id);

-- Grows with every change but the last use, so that each process notices what it must not trust any more.
CREATE TABLE api_key_revision (
  workspace_id TEXT NOT NULL CHECK (workspace_id = ''),
  revision INTEGER NOT NULL,
  PRIMARY KEY (workspace_id)
) STRICT, WITHOUT ROWID;
