-- What was touched
-- Every file that a call or a tracker names, with who touched it, how often, and first and last time. As stored: relative paths stay relative.
SELECT
  machine, "user", path,
  list_sort(list_distinct(list(CASE WHEN tool_name <> '' THEN tool_name ELSE row_type END))) AS by,
  count(*) AS times, min(time) AS first, max(time) AS last,
  count(DISTINCT session_id) AS sessions, min(row_id) AS a_row
FROM (
  SELECT machine, "user", unnest(file_paths) AS path, tool_name, row_type, time, session_id, row_id
  FROM timeline
  WHERE row_type IN ('tool_use', 'file') AND duplicate_of = ''
)
GROUP BY machine, "user", path
ORDER BY machine, "user", path;
