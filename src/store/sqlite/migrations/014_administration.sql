-- With a rowid, so that erasing can move all rows to new pages of the file: nothing of an old name stays
-- between the rows of a page.
CREATE TABLE users_moved (
  workspace_id TEXT NOT NULL,
  id TEXT NOT NULL,
  type TEXT NOT NULL CHECK (type IN ('person', 'bot')),
  name TEXT,
  email TEXT,
  avatar_url TEXT,
  -- What the request log calls this user. Null until a token of it comes next, and once it is erased.
  pseudonym TEXT,
  -- Milliseconds since the epoch. Tokens tell nothing of an erased user.
  erased_time INTEGER,
  PRIMARY KEY (workspace_id, id)
) STRICT;

INSERT INTO users_moved (workspace_id, id, type, name, email, avatar_url)
SELECT workspace_id, id, type, name, email, avatar_url FROM users;

DROP TABLE users;

ALTER TABLE users_moved RENAME TO users;

-- Pages and databases in the trash that are being deleted for good, slice by slice: they do not come back.
CREATE TABLE purges (
  workspace_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, node_id)
) STRICT, WITHOUT ROWID;
