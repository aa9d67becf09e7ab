-- By which analysis a workspace's words became terms, and up to which page another one has come.
ALTER TABLE search_workspaces ADD COLUMN analysis INTEGER NOT NULL DEFAULT 1;
ALTER TABLE search_workspaces ADD COLUMN analysed_to TEXT NOT NULL DEFAULT '';
