-- What each workspace's words begin with in the index, and what there is of them.
CREATE TABLE search_workspaces (
  code INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL UNIQUE,
  parts INTEGER NOT NULL,
  length INTEGER NOT NULL
) STRICT;

-- The words of pages and databases, in parts. `no` is the page's number, 4096 times, and the part's.
CREATE TABLE search_parts (
  no INTEGER PRIMARY KEY,
  workspace_id TEXT NOT NULL,
  page_id TEXT NOT NULL,
  -- What filters ask for: kind, parent, everything above.
  place TEXT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  length INTEGER NOT NULL,
  trashed INTEGER NOT NULL CHECK (trashed IN (0, 1))
) STRICT;

CREATE INDEX search_parts_of_page ON search_parts (workspace_id, page_id, no);

CREATE INDEX search_parts_by_no ON search_parts (workspace_id, no);

-- The same words, found by term: each begins with the five characters of its workspace, so that none
-- reads or pays for another's. The short prefix is of one letter behind those.
CREATE VIRTUAL TABLE search_words USING fts5 (
  place, title, body,
  content = '', contentless_delete = 1, tokenize = 'ascii', prefix = '6'
);

CREATE INDEX pages_by_edited_time
ON nodes (workspace_id, kind, edited_time, id)
WHERE kind <> 'block' AND trash_root IS NULL;

-- Pages and databases whose vectors are to be made anew.
CREATE TABLE search_due (
  workspace_id TEXT NOT NULL,
  page_id TEXT NOT NULL,
  -- Grows with each change, so that what changed while it was worked on stays due.
  change INTEGER NOT NULL,
  -- Nobody else works on it before this time, in milliseconds since the epoch.
  leased_until INTEGER NOT NULL,
  PRIMARY KEY (workspace_id, page_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX search_due_by_lease ON search_due (workspace_id, leased_until, page_id);

-- Up to where a database that is older than its search has been read.
CREATE TABLE search_filling (
  workspace_id TEXT PRIMARY KEY,
  page_id TEXT NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO search_filling SELECT DISTINCT workspace_id, '' FROM nodes;
