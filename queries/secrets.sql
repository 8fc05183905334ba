-- Which secrets stand where
-- One line per secret, by its fingerprint: the same on every machine if the timelines were made with the same key (--fingerprint-key).
SELECT
  found->>'fingerprint' AS fingerprint, found->>'rule' AS rule, any_value(found->>'class') AS class,
  max(found->>'confidence') AS confidence, any_value(found->>'preview') AS preview,
  count(DISTINCT row_id) AS rows,
  list_sort(list_distinct(list(machine))) AS machines,
  list_sort(list_distinct(list("user"))) AS users,
  list_sort(list_distinct(list(source_file))) AS files,
  min(time) AS first, max(time) AS last
FROM (SELECT *, unnest(from_json(secrets, '["JSON"]')) AS found FROM timeline WHERE secret_count > 0)
GROUP BY ALL
ORDER BY rows DESC, fingerprint, rule;
