import { describe, expect, it } from 'vitest';
import { bytesOf, conversation, draftsOf, entry, pick, prompt, rowsOf } from './support.js';

const rows = (members: object) => rowsOf(draftsOf(bytesOf(conversation([entry(0, prompt('a'))], ['> a'], members))));
const settings = (members: object) => rows(members).filter((row) => row.row_type === 'config');
const hook = (command: string, more: object = {}) => ({
  command,
  timeout_ms: 30000,
  max_output_size: 10240,
  cache_ttl_seconds: 0,
  ...more,
});

describe('members of a conversation', () => {
  it('its state: counts, profile, version, and every member without rows of its own', () => {
    const row = rows({ context_manager: { current_profile: 'dev' }, context_message_length: 139, later: { x: 1 } })[0];
    expect(row).toMatchObject({
      row_type: 'session',
      text: 'session: conversation entries=1 transcript=1 profile=dev version=>=1.14.1',
      source_pointer: '',
      timestamp_utc: '',
    });
    expect(row?.details).toEqual({
      valid_history_range: [0, 1],
      context_message_length: 139,
      model_info: { model_name: 'claude-sonnet-4.5', model_id: 'claude-sonnet-4.5', context_window_tokens: 200000 },
      mcp_enabled: true,
      later: { x: 1 },
    });
  });

  it('tools by server, names only', () => {
    const tool = (name: string) => ({ ToolSpecification: { name, description: 'long', input_schema: { json: null } } });
    const list = settings({ tools: { tickets: [tool('lookup')], native___: [tool('fs_read'), tool('execute_bash')] } });
    expect(pick(list, 'config', 'text', 'source_pointer')).toEqual([
      ['tools available: native count=2: execute_bash,fs_read', '/tools/native___'],
      ['mcp server: name=tickets tools=1: lookup', '/tools/tickets'],
    ]);
  });

  it('context files and hooks since 1.13', () => {
    const list = settings({
      context_manager: {
        max_context_files_size: 150000,
        current_profile: 'dev',
        paths: ['AmazonQ.md', '~/notes/*.md'],
        hooks: { preToolUse: [hook('date'), hook('id', { matcher: 'fs_*' })], agentSpawn: [hook('git status')] },
      },
    });
    expect(pick(list, 'config', 'text', 'command', 'source_pointer')).toEqual([
      ['context: profile=dev paths=2: AmazonQ.md, ~/notes/*.md', '', '/context_manager'],
      ['hook: trigger=agentSpawn: git status', 'git status', '/context_manager/hooks/agentSpawn/0'],
      ['hook: trigger=preToolUse: date', 'date', '/context_manager/hooks/preToolUse/0'],
      ['hook: trigger=preToolUse: id', 'id', '/context_manager/hooks/preToolUse/1'],
    ]);
    expect(list[0]?.details).toEqual({ max_context_files_size: 150000, paths: ['AmazonQ.md', '~/notes/*.md'] });
    expect(list[3]?.details).toEqual({ timeout_ms: 30000, max_output_size: 10240, cache_ttl_seconds: 0, matcher: 'fs_*' });
  });

  it('and before: for all profiles, and for the one in use', () => {
    const list = settings({
      context_manager: {
        current_profile: 'default',
        global_config: {
          paths: ['a'],
          hooks: { status: { trigger: 'per_prompt', type: 'inline', disabled: false, command: 'git status' } },
        },
        profile_config: { paths: [], hooks: {} },
      },
    });
    expect(pick(list, 'config', 'text', 'source_pointer')).toEqual([
      ['context: profile=default', '/context_manager'],
      ['context: scope=global_config paths=1: a', '/context_manager/global_config'],
      ['hook: trigger=per_prompt name=status scope=global_config: git status', '/context_manager/global_config/hooks/status'],
      ['context: scope=profile_config paths=0: ', '/context_manager/profile_config'],
    ]);
  });

  it('files written, also those only tried', () => {
    const lines = {
      prev_fswrite_lines: 4,
      before_fswrite_lines: 4,
      after_fswrite_lines: 5,
      lines_added_by_agent: 2,
      lines_removed_by_agent: 1,
    };
    const list = rows({
      file_line_tracker: {
        '/b~/x': { ...lines, is_first_write: false },
        '/a': { ...lines, lines_added_by_agent: 0, is_first_write: true },
      },
    });
    expect(pick(list, 'file', 'text', 'file_paths', 'source_pointer', 'problem')).toEqual([
      ['file: path=/a lines_added=0 lines_removed=1', ['/a'], '/file_line_tracker/~1a', 'a write was tried; none is recorded as done'],
      ['file: path=/b~/x lines_added=2 lines_removed=1', ['/b~/x'], '/file_line_tracker/~1b~0~1x', ''],
    ]);
  });

  it('a member of an unexpected type is kept with the state', () => {
    const odd = { tools: 'none', context_manager: 5, file_line_tracker: ['x'], checkpoint_manager: 'off', tangent_state: 'off' };
    expect(rows(odd)[0]?.details).toMatchObject(odd);
  });

  it('a member that is called __proto__ too', () => {
    const text = JSON.stringify(conversation([], [])).replace('{', '{"__proto__":{"x":7},');
    expect(JSON.stringify(draftsOf(Buffer.from(text))[0]?.details)).toContain('"__proto__":{"x":7}');
  });
});
