-- What was learnt is megabytes: apart from the rows that are read for each search and written for each
-- vector.
CREATE TABLE search_models (
  workspace_id TEXT NOT NULL,
  -- That of the space.
  number INTEGER NOT NULL,
  model BLOB NOT NULL,
  PRIMARY KEY (workspace_id, number)
) STRICT;

INSERT INTO search_models SELECT workspace_id, number, model FROM search_spaces
WHERE model IS NOT NULL;

ALTER TABLE search_spaces DROP COLUMN model;
