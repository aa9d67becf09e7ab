-- Ways to turn the texts of a workspace into vectors: those of two cannot be compared.
CREATE TABLE search_spaces (
  workspace_id text COLLATE "C" NOT NULL,
  -- From 1 on, in the order in which they were made.
  number integer NOT NULL,
  embedder text NOT NULL,
  -- What was learnt; null where another service knows it.
  model bytea,
  -- Parts of pages that there were when it was made.
  parts bigint NOT NULL,
  -- Pages up to here have come due for it by having been there before it; null once all have.
  filled_to text COLLATE "C",
  complete boolean NOT NULL,
  -- The last number that was given to vectors of it.
  sequence bigint NOT NULL,
  PRIMARY KEY (workspace_id, number)
);

CREATE TABLE search_vectors (
  workspace_id text COLLATE "C" NOT NULL,
  space integer NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  -- Whoever has read up to here has not seen what is higher.
  sequence bigint NOT NULL,
  -- The block that each passage begins with, as JSON; null where it is the page itself.
  blocks text NOT NULL,
  -- One after the other, a byte for each dimension.
  vectors bytea NOT NULL,
  PRIMARY KEY (workspace_id, space, page_id)
);

CREATE UNIQUE INDEX search_vectors_by_sequence ON search_vectors (workspace_id, space, sequence);

-- Pages in the order in which all of them are gone through; a new space takes up trashed ones too,
-- for they may come back.
CREATE INDEX pages_by_id ON nodes (workspace_id, id) WHERE kind = 'page';
