-- A copy of a synced block shows the children of its original, as a mention shows a name.
UPDATE nodes SET has_mentions = true
WHERE type = 'synced_block' AND has_mentions = false AND instr(doc, '"block_id"') > 0;
