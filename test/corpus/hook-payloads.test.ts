import { describe, expect, it } from 'vitest';
import { hookCapture } from '../../src/parsers/hook-capture/capture.js';
import { PARSERS } from '../../src/parsers/index.js';
import { bytesOf, lostLeaves } from '../support/hook-rows.js';
import { draftsOf } from '../support/memory-source.js';

const bytes = bytesOf('real-shaped/kiro-ide/hook-payloads.json');
const rows = draftsOf(hookCapture, bytes);
const text = bytes.toString('utf8');
const count = (pattern: RegExp) => text.match(pattern)?.length ?? 0;
const ofType = (type: string) => rows.filter((row) => row.row_type === type);

describe('payloads of two versions of Kiro CLI, one of each kind', () => {
  it('are known by their content, to one parser', () => {
    expect(PARSERS.filter((parser) => parser.detect?.(bytes)).map((parser) => parser.id)).toEqual(['hook-capture']);
  });

  it('give no error row, and as many rows as there are payloads', () => {
    expect(ofType('error')).toEqual([]);
    expect(ofType('tool_result')).toHaveLength(count(/"postToolUse"/g));
    expect(ofType('prompt')).toHaveLength(count(/"hook_event_name": "userPromptSubmit"/g));
    expect(ofType('assistant')).toHaveLength(count(/"assistant_response"/g));
    expect(ofType('session')).toHaveLength(count(/"hook_event_name": "agentSpawn"/g));
    const inferred = ofType('tool_use').filter((row) => row.details?.note === 'call inferred from its result');
    expect(ofType('tool_use').length - inferred.length).toBe(count(/"hook_event_name": "preToolUse"/g));
    // Only the shell call has both its payloads.
    expect(inferred).toHaveLength(count(/"postToolUse"/g) - 1);
    expect(ofType('log')).toHaveLength(count(/"_provenance"/g));
    expect(ofType('gap').map((row) => row.tool_name)).toEqual(['fs_read', 'invoke_sub_agent']);
  });

  it('carry every text and number', () => {
    expect(lostLeaves(JSON.parse(text), rows)).toEqual([]);
  });

  it('name the program where a payload proves it: version 2.6, not version 2.18', () => {
    const unknown = rows.filter((row) => row.agent === 'unknown').map((row) => `${row.row_type} ${row.tool_name ?? ''}`);
    expect(unknown).toEqual(['prompt ', 'tool_use fs_read', 'tool_use fs_write', 'tool_result fs_write', 'gap fs_read']);
  });
});
