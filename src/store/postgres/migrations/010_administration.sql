-- What the request log calls this user. Null until a token of it comes next, and once it is erased.
ALTER TABLE users ADD COLUMN pseudonym text COLLATE "C";

-- Milliseconds since the epoch. Tokens tell nothing of an erased user.
ALTER TABLE users ADD COLUMN erased_time bigint;

-- The statistics of a column quote its values: a new type drops those that there are, and no others are
-- collected. Nothing is searched by these columns.
ALTER TABLE users ALTER COLUMN name TYPE text, ALTER COLUMN email TYPE text,
  ALTER COLUMN avatar_url TYPE text;
ALTER TABLE users ALTER COLUMN name SET STATISTICS 0, ALTER COLUMN email SET STATISTICS 0,
  ALTER COLUMN avatar_url SET STATISTICS 0;
ALTER TABLE receipts ALTER COLUMN body TYPE text;
ALTER TABLE receipts ALTER COLUMN body SET STATISTICS 0;

-- Pages and databases in the trash that are being deleted for good, slice by slice: they do not come back.
CREATE TABLE purges (
  workspace_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, node_id)
);
