-- How long the vectors of a space are; null before the first. A service may answer with longer or shorter
-- ones from one day to the next, which cannot be compared with these.
ALTER TABLE search_spaces ADD COLUMN dimensions integer;

UPDATE search_spaces s SET dimensions = (
  SELECT length(v.vectors) / json_array_length(v.blocks::json) FROM search_vectors v
  WHERE v.workspace_id = s.workspace_id AND v.space = s.number AND length(v.vectors) > 0
  LIMIT 1
);
