-- What rows of databases are filtered and sorted by. A row's cells go with it to the trash and back:
-- whether it lives, its node alone says.
CREATE TABLE cells (
  workspace_id text COLLATE "C" NOT NULL,
  node_id text COLLATE "C" NOT NULL,
  property_id text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  database_id text COLLATE "C" NOT NULL,
  number double precision,
  key text COLLATE "C",
  text text COLLATE "C",
  PRIMARY KEY (workspace_id, node_id, property_id, ordinal),
  -- Else rows of one number would not stand in the order of their ids in the index below, and a
  -- number would not have to lie in all ranges that are asked for.
  CHECK (number IS NULL OR (key IS NULL AND ordinal = 0))
);

CREATE INDEX cells_by_value
ON cells (workspace_id, database_id, property_id, number, key, node_id, ordinal);

-- A dual relation is one set of links, seen from both ends.
CREATE TABLE links (
  workspace_id text COLLATE "C" NOT NULL,
  relation_id text COLLATE "C" NOT NULL,
  from_id text COLLATE "C" NOT NULL,
  to_id text COLLATE "C" NOT NULL,
  ordinal integer NOT NULL,
  PRIMARY KEY (workspace_id, relation_id, from_id, to_id)
);

CREATE INDEX links_back ON links (workspace_id, relation_id, to_id, from_id);

CREATE TABLE counters (
  workspace_id text COLLATE "C" NOT NULL,
  database_id text COLLATE "C" NOT NULL,
  last_number bigint NOT NULL,
  PRIMARY KEY (workspace_id, database_id)
);

-- Rows by what every row has; blocks and other pages do not pay for it. Each ends with the one thing
-- that a walk has to know of every row that it meets.
CREATE INDEX rows_by_created_time
ON nodes (workspace_id, parent_id, created_time, id, trash_root)
WHERE parent_kind = 'database' AND kind = 'page';

CREATE INDEX rows_by_edited_time
ON nodes (workspace_id, parent_id, edited_time, id, trash_root)
WHERE parent_kind = 'database' AND kind = 'page';

CREATE INDEX rows_by_created_by
ON nodes (workspace_id, parent_id, created_by, id, trash_root)
WHERE parent_kind = 'database' AND kind = 'page';

CREATE INDEX rows_by_edited_by
ON nodes (workspace_id, parent_id, edited_by, id, trash_root)
WHERE parent_kind = 'database' AND kind = 'page';
