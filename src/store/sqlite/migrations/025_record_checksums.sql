-- Of the columns of a user, and of an upload. Null in rows from before, as in nodes: the service adds it
-- when it next checks them.
ALTER TABLE users ADD COLUMN checksum INTEGER;

ALTER TABLE uploads ADD COLUMN checksum INTEGER;
