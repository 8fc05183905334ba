-- What ran
-- Every command that was called for, each once, with how it ended as far as a result is recorded. No result is not success.
WITH results AS (
  SELECT
    machine, "user", session_id, tool_use_id,
    arg_max(status, recovered = '') AS status, arg_max(outcome, recovered = '') AS outcome,
    arg_max(exit_code, recovered = '') AS exit_code, any_value(row_id) AS result_row
  FROM timeline
  WHERE row_type = 'tool_result' AND duplicate_of = '' AND tool_use_id <> ''
  GROUP BY ALL
)
SELECT
  call.time, call.machine, call."user", call.session_id, call.project_path, call.tool_name, call.command,
  coalesce(NULLIF(result.status, ''), NULLIF(call.status, ''), 'no result on record') AS status,
  coalesce(NULLIF(result.outcome, ''), call.outcome) AS outcome, coalesce(result.exit_code, call.exit_code) AS exit_code, call.recovered, call.row_id, result.result_row
FROM timeline AS call
LEFT JOIN results AS result
  ON call.tool_use_id <> ''
  AND result.machine = call.machine AND result."user" = call."user"
  AND result.session_id = call.session_id AND result.tool_use_id = call.tool_use_id
WHERE call.row_type IN ('tool_use', 'shell') AND call.command <> '' AND call.duplicate_of = ''
ORDER BY call.time NULLS LAST, call.machine, call.source_file, call.source_line, call.row_id;
