-- Of id, title and document, or key and body. Null in rows from before: the service adds it when it
-- next checks them, so that this takes no time.
ALTER TABLE nodes ADD COLUMN checksum INTEGER;

ALTER TABLE receipts ADD COLUMN checksum INTEGER;

-- At most one row, written and removed at once: whether a full disk takes something again.
CREATE TABLE space_probe (
  workspace_id TEXT NOT NULL CHECK (workspace_id = ''),
  id INTEGER NOT NULL CHECK (id = 1),
  filler BLOB NOT NULL,
  PRIMARY KEY (workspace_id, id)
) STRICT;
