-- What is missing
-- What is known to have existed and is not there (gap), what could not be read (error), and rows that say a doubt (problem).
SELECT
  CASE WHEN row_type IN ('gap', 'error') THEN row_type ELSE 'problem' END AS kind,
  machine, "user", time, session_id, source_file, source_line,
  CASE WHEN row_type IN ('gap', 'error') THEN text ELSE problem END AS what, row_id
FROM timeline
WHERE row_type IN ('gap', 'error') OR problem <> ''
ORDER BY kind, machine, source_file, source_line, row_id;
