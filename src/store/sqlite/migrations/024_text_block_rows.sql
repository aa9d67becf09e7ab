-- With rowids: without, a search for the rows of one block reads those of each block that it is compared
-- with.
CREATE TABLE block_rows (
  workspace_id TEXT NOT NULL,
  database_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  last_time INTEGER NOT NULL,
  last_id TEXT NOT NULL,
  ids TEXT NOT NULL,
  PRIMARY KEY (workspace_id, database_id, property_id, last_time, last_id),
  FOREIGN KEY (workspace_id, database_id, property_id, last_time, last_id)
    REFERENCES text_blocks ON DELETE CASCADE
) STRICT;

INSERT INTO block_rows
SELECT workspace_id, database_id, property_id, last_time, last_id, ids FROM text_block_rows;

DROP TABLE text_block_rows;

ALTER TABLE block_rows RENAME TO text_block_rows;
