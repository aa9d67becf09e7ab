-- Commits that are made in slices, and are not finished: their changes as JSON.
CREATE TABLE sliced_commits (
  workspace_id TEXT PRIMARY KEY,
  changes TEXT NOT NULL
) STRICT;

-- How far each has come, as JSON. Apart, because each slice writes it.
CREATE TABLE sliced_positions (
  workspace_id TEXT PRIMARY KEY,
  position TEXT NOT NULL
) STRICT, WITHOUT ROWID;
