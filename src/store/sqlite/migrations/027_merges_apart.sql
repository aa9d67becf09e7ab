-- Segments of the index of words are merged by the service between writes, and by no write of a request:
-- a write that merged has taken 100 ms, in the thread that serves. 128 at once remain a last resort.
INSERT INTO search_words (search_words, rank) VALUES ('automerge', 0);
INSERT INTO search_words (search_words, rank) VALUES ('crisismerge', 128);

-- As many as before are merged into one.
INSERT INTO search_words (search_words, rank) VALUES ('usermerge', 8);
