-- An API key is a bot of its workspace: its ID is the ID of that user.
CREATE TABLE api_keys (
  workspace_id text COLLATE "C" NOT NULL,
  id text COLLATE "C" NOT NULL,
  name text NOT NULL,
  -- Separated by spaces.
  scopes text NOT NULL,
  created_time bigint NOT NULL,
  expires_time bigint,
  revoked_time bigint,
  -- The start of the hour of its last use.
  used_time bigint,
  PRIMARY KEY (workspace_id, id)
);

-- The SHA-256 of each secret, in hexadecimal. A request says no workspace, so the whole service looks
-- here. The secret that a rotation replaced has a time at which it ends.
CREATE TABLE api_key_secrets (
  workspace_id text COLLATE "C" NOT NULL CHECK (workspace_id = ''),
  hash text COLLATE "C" NOT NULL,
  key_workspace text COLLATE "C" NOT NULL,
  key_id text COLLATE "C" NOT NULL,
  expires_time bigint,
  PRIMARY KEY (workspace_id, hash)
);

CREATE INDEX api_key_secrets_of_key ON api_key_secrets (workspace_id, key_workspace, key_id);

-- Grows with every change but the last use, so that each process notices what it must not trust any more.
CREATE TABLE api_key_revision (
  workspace_id text COLLATE "C" NOT NULL CHECK (workspace_id = ''),
  revision bigint NOT NULL,
  PRIMARY KEY (workspace_id)
);
