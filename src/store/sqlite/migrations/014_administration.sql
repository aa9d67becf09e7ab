-- What the request log calls this user. Null until a token of it comes next, and once it is erased.
ALTER TABLE users ADD COLUMN pseudonym TEXT;

-- Milliseconds since the epoch. Tokens tell nothing of an erased user.
ALTER TABLE users ADD COLUMN erased_time INTEGER;

-- Pages and databases in the trash that are being deleted for good, slice by slice: they do not come back.
CREATE TABLE purges (
  workspace_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, node_id)
) STRICT, WITHOUT ROWID;

-- Removed words are merged away by the service beside requests, and by no write of theirs.
INSERT INTO search_words (search_words, rank) VALUES ('deletemerge', 0);
