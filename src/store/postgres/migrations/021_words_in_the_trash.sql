-- A page tells whether it is in the trash. To note it beside the words rewrote all terms of their index.
ALTER TABLE search_parts DROP COLUMN trashed;
