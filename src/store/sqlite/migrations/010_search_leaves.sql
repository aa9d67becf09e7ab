-- A leaf of 4050 bytes fills a page of the file by itself, and to put one between others writes its
-- neighbours anew. Of one of 8600 all but 489 bytes lie on two pages apart, which no other leaf moves.
-- What is written from here on is so; what is there already is read as it is.
INSERT INTO search_words (search_words, rank) VALUES ('pgsz', 8600);
