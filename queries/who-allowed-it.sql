-- Who allowed it
-- Each call with the decisions that name it. A call without one was not "allowed": nothing is on record that says so.
-- One answer may speak for several calls and then names none of them: "for_the_tool" lists decisions of the session that name the tool only.
-- Standing grants are in standing-grants.sql.
WITH decisions AS (
  SELECT
    machine, "user", session_id, tool_use_id,
    string_split(coalesce(NULLIF(tool_name, ''), regexp_extract(text, 'tools=([^ ]+)', 1)), ',') AS tools,
    decision || CASE WHEN decided_by = '' THEN '' ELSE ' by ' || decided_by END AS said
  FROM timeline
  WHERE row_type = 'permission' AND decision <> '' AND session_id <> ''
)
SELECT
  call.time, call.machine, call."user", call.session_id, call.tool_name,
  left(CASE WHEN call.command <> '' THEN call.command ELSE call.text END, 200) AS what,
  coalesce((
    SELECT string_agg(DISTINCT said, ', ' ORDER BY said) FROM decisions AS d
    WHERE d.tool_use_id = call.tool_use_id AND d.tool_use_id <> ''
      AND d.session_id = call.session_id AND d."user" = call."user" AND d.machine = call.machine
  ), 'no decision on record') AS decision,
  coalesce((
    SELECT string_agg(DISTINCT said, ', ' ORDER BY said) FROM decisions AS d
    WHERE d.tool_use_id = '' AND list_has_any(d.tools, [call.tool_name, '*'])
      AND d.session_id = call.session_id AND d."user" = call."user" AND d.machine = call.machine
  ), '') AS for_the_tool,
  call.row_id
FROM timeline AS call
WHERE call.row_type = 'tool_use' AND call.duplicate_of = ''
ORDER BY call.time NULLS LAST, call.machine, call.source_file, call.source_line, call.row_id;
