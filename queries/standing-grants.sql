-- What may run without a question
-- Standing grants and denials of configurations and stores, as of the time of the file or record.
SELECT time, machine, "user", agent, project_path, tool_name, decision, decided_by, text, source_file, row_id
FROM timeline
WHERE row_type = 'permission' AND tool_use_id = '' AND decision IN ('granted', 'denied', 'revoked') AND duplicate_of = ''
ORDER BY machine, "user", source_file, source_line, row_id;
