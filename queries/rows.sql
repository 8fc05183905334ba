-- The rows of one timeline or of many, as the view "timeline": read this first.
-- All columns with their types, so that nothing is guessed from the first lines; "time" is a TIMESTAMP in UTC, NULL for undated rows,
-- "machine" is the host column, or the file where no host was given; copies of other rows are left in (duplicate_of names their primary).
CREATE OR REPLACE VIEW timeline AS
SELECT
  TRY_CAST(NULLIF(timestamp_utc, '') AS TIMESTAMP) AS time,
  CASE WHEN host <> '' THEN host ELSE parse_filename(filename) END AS machine,
  *
FROM read_json(
  getvariable('timelines'),
  format = 'newline_delimited',
  filename = true,
  maximum_object_size = 67108864,
  columns = {
    timestamp_utc: 'VARCHAR', host: 'VARCHAR', user: 'VARCHAR', agent: 'VARCHAR', session_id: 'VARCHAR', project_path: 'VARCHAR',
    git_branch: 'VARCHAR', turn_type: 'VARCHAR', model: 'VARCHAR', tool_name: 'VARCHAR', tool_use_id: 'VARCHAR', text: 'VARCHAR',
    source_file: 'VARCHAR', source_line: 'BIGINT', row_type: 'VARCHAR', origin: 'VARCHAR', timestamp_source: 'VARCHAR',
    timestamp_original: 'VARCHAR', status: 'VARCHAR', outcome: 'VARCHAR', exit_code: 'BIGINT', duration_ms: 'BIGINT',
    command: 'VARCHAR', file_paths: 'VARCHAR[]', decision: 'VARCHAR', decided_by: 'VARCHAR', recovered: 'VARCHAR',
    confidence: 'VARCHAR', duplicate_of: 'VARCHAR', message_id: 'VARCHAR', request_id: 'VARCHAR', parent_session_id: 'VARCHAR',
    source_table: 'VARCHAR', source_pointer: 'VARCHAR', source_offset: 'BIGINT', source_sha256: 'VARCHAR', secret_count: 'BIGINT',
    secret_rules: 'VARCHAR[]', secrets: 'JSON', row_id: 'VARCHAR', problem: 'VARCHAR', details: 'JSON', schema: 'VARCHAR',
    tool_version: 'VARCHAR'
  }
);
