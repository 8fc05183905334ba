-- What was recovered
-- Rows that live data no longer holds, where they lay, and how sure their content is; copies of live rows are left out.
SELECT recovered, confidence, machine, "user", time, session_id, row_type, tool_name, left(text, 300) AS text, source_file, source_offset, row_id
FROM timeline
WHERE recovered <> '' AND row_type <> 'recovered' AND duplicate_of = ''
ORDER BY machine, source_file, recovered, time NULLS LAST, source_offset, row_id;
