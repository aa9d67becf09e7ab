-- Rows with several links, without a look at those that have one: the first link of a row is no entry.
CREATE INDEX further_links ON links (workspace_id, relation_id, from_id) WHERE ordinal > 0;
