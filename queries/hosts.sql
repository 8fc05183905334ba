-- Which machines, users and agents there are, and from when to when
-- One line per machine, user and agent: sessions, prompts that a person typed, commands, decisions, rows without a time.
SELECT
  machine, "user", agent,
  min(time) AS first, max(time) AS last,
  count(*) AS rows,
  count(DISTINCT NULLIF(session_id, '')) AS sessions,
  count(*) FILTER (row_type = 'prompt' AND origin = 'typed' AND duplicate_of = '') AS typed_prompts,
  count(*) FILTER (row_type = 'tool_use' AND command <> '' AND duplicate_of = '') AS commands,
  count(*) FILTER (row_type = 'permission' AND decision IN ('denied', 'cancelled', 'abandoned')) AS not_allowed,
  count(*) FILTER (time IS NULL) AS undated
FROM timeline
GROUP BY ALL
ORDER BY machine, "user", agent;
