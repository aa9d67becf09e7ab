-- Long texts of cells, which keep only their beginnings: a search in a table without rowids reads whole
-- entries to compare their keys, and an index that has the length of a text would do so, too.
CREATE TABLE long_texts (
  workspace_id TEXT NOT NULL,
  database_id TEXT NOT NULL,
  property_id TEXT NOT NULL,
  node_id TEXT NOT NULL,
  ordinal INTEGER NOT NULL,
  bytes INTEGER NOT NULL,
  text TEXT NOT NULL,
  PRIMARY KEY (workspace_id, node_id, property_id, ordinal),
  FOREIGN KEY (workspace_id, node_id, property_id, ordinal) REFERENCES cells ON DELETE CASCADE
) STRICT;

CREATE INDEX long_texts_by_length ON long_texts (workspace_id, database_id, property_id, bytes);

INSERT INTO long_texts
SELECT workspace_id, database_id, property_id, node_id, ordinal, octet_length(text), text
FROM cells WHERE octet_length(text) > 2000 AND length(text) > 2000;

UPDATE cells SET text = substr(text, 1, 2000)
WHERE octet_length(text) > 2000 AND length(text) > 2000;
