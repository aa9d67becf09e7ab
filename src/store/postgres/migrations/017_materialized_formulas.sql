-- From here on writes of rows include the cells of materialized formulas. Earlier releases would leave
-- those cells as they are, so they must not open this database.
SELECT 1;
