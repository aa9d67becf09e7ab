-- Texts of one property, of consecutive rows by creation: each row from the end of the block before up
-- to this end. Without texts the block has to be sealed again, and its rows are looked at themselves.
-- With rowids: to find the end of a range, an index would read all texts that stand in it.
CREATE TABLE text_blocks (
  workspace_id TEXT NOT NULL,
  database_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  last_time INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  has_long INTEGER NOT NULL,
  texts TEXT,
  PRIMARY KEY (workspace_id, database_id, property_id, last_time, last_id)
) STRICT;

-- The rows of the texts: apart, because a search reads all texts and few of these.
CREATE TABLE text_block_rows (
  workspace_id TEXT NOT NULL,
  database_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  last_time INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  ids TEXT NOT NULL,
  PRIMARY KEY (workspace_id, database_id, property_id, last_time, last_id),
  FOREIGN KEY (workspace_id, database_id, property_id, last_time, last_id)
    REFERENCES text_blocks ON DELETE CASCADE
) STRICT, WITHOUT ROWID;

CREATE INDEX text_blocks_unsealed
ON text_blocks (workspace_id, database_id, property_id, last_time, last_id)
WHERE texts IS NULL;
