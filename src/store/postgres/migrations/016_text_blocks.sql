-- Texts of one property, of consecutive rows by creation: each row from the end of the block before up
-- to this end. Without texts the block has to be sealed again, and its rows are looked at themselves.
CREATE TABLE text_blocks (
  workspace_id text COLLATE "C" NOT NULL,
  database_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  last_time bigint NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  has_long integer NOT NULL,
  texts text COLLATE "C",
  PRIMARY KEY (workspace_id, database_id, property_id, last_time, last_id)
);

-- Every search reads the texts: they lie in the row as they are.
ALTER TABLE text_blocks ALTER COLUMN texts SET STORAGE PLAIN;

-- The rows of the texts: apart, because a search reads all texts and few of these.
CREATE TABLE text_block_rows (
  workspace_id text COLLATE "C" NOT NULL,
  database_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  last_time bigint NOT NULL,
  last_id text COLLATE "C" NOT NULL,
  ids text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id, database_id, property_id, last_time, last_id),
  FOREIGN KEY (workspace_id, database_id, property_id, last_time, last_id)
    REFERENCES text_blocks ON DELETE CASCADE
);

CREATE INDEX text_blocks_unsealed
ON text_blocks (workspace_id, database_id, property_id, last_time, last_id)
WHERE texts IS NULL;
