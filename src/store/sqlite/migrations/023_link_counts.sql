-- Rows that have no link on a side of a relation, or several: 2 stands for more, too. A row with one
-- link is no entry. Links to rows in the trash count.
CREATE TABLE link_counts (
  workspace_id TEXT NOT NULL,
  relation_id TEXT NOT NULL,
  side TEXT NOT NULL CHECK (side IN ('from', 'to')),
  count INTEGER NOT NULL CHECK (count IN (0, 2)),
  row_id TEXT NOT NULL,
  PRIMARY KEY (workspace_id, relation_id, side, count, row_id)
) STRICT, WITHOUT ROWID;

INSERT INTO link_counts
SELECT workspace_id, relation_id, 'from', 2, from_id FROM links
GROUP BY workspace_id, relation_id, from_id HAVING count(*) > 1;

INSERT INTO link_counts
SELECT workspace_id, relation_id, 'to', 2, to_id FROM links
GROUP BY workspace_id, relation_id, to_id HAVING count(*) > 1;

WITH relations AS MATERIALIZED (
  SELECT d.workspace_id, d.id, p.value ->> 'relationId' AS relation_id, p.value ->> 'side' AS side
  FROM nodes d CROSS JOIN json_each(d.doc, '$.properties') p
  WHERE d.kind = 'database' AND p.value ->> 'type' = 'relation'
)
INSERT INTO link_counts
SELECT n.workspace_id, r.relation_id, 'from', 0, n.id
FROM relations r CROSS JOIN nodes n
WHERE r.side = 'from' AND n.workspace_id = r.workspace_id AND n.parent_id = r.id
  AND n.parent_kind = 'database' AND n.kind = 'page' AND NOT EXISTS (
    SELECT 1 FROM links l WHERE l.workspace_id = r.workspace_id
      AND l.relation_id = r.relation_id AND l.from_id = n.id
  );

WITH relations AS MATERIALIZED (
  SELECT d.workspace_id, d.id, p.value ->> 'relationId' AS relation_id, p.value ->> 'side' AS side
  FROM nodes d CROSS JOIN json_each(d.doc, '$.properties') p
  WHERE d.kind = 'database' AND p.value ->> 'type' = 'relation'
)
INSERT INTO link_counts
SELECT n.workspace_id, r.relation_id, 'to', 0, n.id
FROM relations r CROSS JOIN nodes n
WHERE r.side = 'to' AND n.workspace_id = r.workspace_id AND n.parent_id = r.id
  AND n.parent_kind = 'database' AND n.kind = 'page' AND NOT EXISTS (
    SELECT 1 FROM links l WHERE l.workspace_id = r.workspace_id
      AND l.relation_id = r.relation_id AND l.to_id = n.id
  );

DROP INDEX further_links;
