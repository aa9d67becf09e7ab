-- Ways to turn the texts of a workspace into vectors: those of two cannot be compared.
CREATE TABLE search_spaces (
  workspace_id TEXT NOT NULL,
  -- From 1 on, in the order in which they were made.
  number INTEGER NOT NULL,
  embedder TEXT NOT NULL,
  -- What was learnt; null where another service knows it.
  model BLOB,
  -- Parts of pages that there were when it was made.
  parts INTEGER NOT NULL,
  -- Pages up to here have come due for it by having been there before it; null once all have.
  filled_to TEXT,
  complete INTEGER NOT NULL CHECK (complete IN (0, 1)),
  -- The last number that was given to vectors of it.
  sequence INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, number)
) STRICT;

CREATE TABLE search_vectors (
  workspace_id TEXT NOT NULL,
  space INTEGER NOT NULL,
  page_id TEXT NOT NULL,
  -- Whoever has read up to here has not seen what is higher.
  sequence INTEGER NOT NULL,
  -- The block that each passage begins with, as JSON; null where it is the page itself.
  blocks TEXT NOT NULL,
  -- One after the other, a byte for each dimension.
  vectors BLOB NOT NULL,
  PRIMARY KEY (workspace_id, space, page_id)
) STRICT;

CREATE UNIQUE INDEX search_vectors_by_sequence ON search_vectors (workspace_id, space, sequence);

-- Pages in the order in which all of them are gone through; a new space takes up trashed ones too,
-- for they may come back.
CREATE INDEX pages_by_id ON nodes (workspace_id, id) WHERE kind = 'page';
