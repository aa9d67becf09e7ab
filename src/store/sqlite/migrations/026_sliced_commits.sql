-- What is left of commits that are made in slices, as JSON; none while the server is stopped as asked.
CREATE TABLE sliced_commits (
  workspace_id TEXT PRIMARY KEY,
  changes TEXT NOT NULL,
  -- The indices of the changes that are not done, and the progress of the first of them.
  position TEXT NOT NULL
) STRICT, WITHOUT ROWID;
