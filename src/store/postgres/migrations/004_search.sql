-- What there is of each workspace's words.
CREATE TABLE search_workspaces (
  workspace_id text COLLATE "C" NOT NULL,
  parts bigint NOT NULL,
  length bigint NOT NULL,
  PRIMARY KEY (workspace_id)
);

-- The words of pages and databases, in parts. `no` is the page's number, 4096 times, and the part's.
CREATE TABLE search_parts (
  workspace_id text COLLATE "C" NOT NULL,
  no bigint NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  -- What filters ask for: kind, parent, everything above.
  place text NOT NULL,
  title text NOT NULL,
  body text NOT NULL,
  length integer NOT NULL,
  trashed boolean NOT NULL,
  -- Terms and marks, each behind the code of the workspace, so that none reads or pays for another's.
  terms tsvector NOT NULL,
  PRIMARY KEY (workspace_id, no)
);

CREATE INDEX search_parts_of_page ON search_parts (workspace_id, page_id, no);

CREATE INDEX search_terms ON search_parts USING gin (terms);

CREATE INDEX pages_by_edited_time ON nodes (workspace_id, kind, edited_time, id)
WHERE kind <> 'block' AND trash_root = '';

-- Pages and databases whose vectors are to be made anew.
CREATE TABLE search_due (
  workspace_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  -- Grows with each change, so that what changed while it was worked on stays due.
  change bigint NOT NULL,
  -- Nobody else works on it before this time, in milliseconds since the epoch.
  leased_until bigint NOT NULL,
  PRIMARY KEY (workspace_id, page_id)
);

CREATE INDEX search_due_by_lease ON search_due (workspace_id, leased_until, page_id);

-- Up to where a database that is older than its search has been read.
CREATE TABLE search_filling (
  workspace_id text COLLATE "C" NOT NULL,
  page_id text COLLATE "C" NOT NULL,
  PRIMARY KEY (workspace_id)
);

INSERT INTO search_filling SELECT DISTINCT workspace_id, '' FROM nodes;
