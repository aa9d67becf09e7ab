-- Vectors of a space: of every passage of its pages.
ALTER TABLE search_spaces ADD COLUMN vectors bigint NOT NULL DEFAULT 0;

UPDATE search_spaces s SET vectors = (
  SELECT coalesce(sum(json_array_length(v.blocks::json)), 0) FROM search_vectors v
  WHERE v.workspace_id = s.workspace_id AND v.space = s.number
);
