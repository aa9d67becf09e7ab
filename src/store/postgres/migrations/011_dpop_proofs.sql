-- DPoP proofs that were used, until they expire: the hash of their key and jti. Of the whole service.
CREATE TABLE dpop_proofs (
  workspace_id text COLLATE "C" NOT NULL CHECK (workspace_id = ''),
  id text COLLATE "C" NOT NULL,
  expires_time bigint NOT NULL,
  PRIMARY KEY (workspace_id, id)
);

CREATE INDEX dpop_proofs_by_expiry ON dpop_proofs (workspace_id, expires_time);
