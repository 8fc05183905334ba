import fc from 'fast-check';
import { DENY_N, said } from './support.js';

// Random conversations: mostly well formed, with the odd value in every place. Texts and ids repeat on purpose.
const text = fc.oneof(
  fc.constantFrom('', 'a', 'b', 'y', 'n', '/clear', '/tools trust x', '> a', DENY_N),
  fc.string({ unit: 'grapheme', maxLength: 12 }),
);
const id = fc.constantFrom('t1', 't2', 't3', '');
const odd = fc.jsonValue({ maxDepth: 2 });
const rarely = <T>(usual: fc.Arbitrary<T>): fc.Arbitrary<unknown> =>
  fc.oneof({ weight: 12, arbitrary: usual }, { weight: 1, arbitrary: odd });
const sometimes = <T extends Record<string, fc.Arbitrary<unknown>>>(model: T) => fc.record(model, { requiredKeys: [] });

const stamp = fc.constantFrom('2025-11-14T09:12:03.481920377+01:00', '2025-11-14T09:12:03Z', 'never', '', null);
const millis = fc.oneof(fc.integer({ min: 1_700_000_000_000, max: 1_800_000_000_000 }), fc.double(), fc.constant(null));
const output = fc.record({ exit_status: fc.constantFrom('0', '1', 'exit status: 0', 3), stdout: text, stderr: rarely(text) });
const block = fc.oneof(fc.record({ Text: text }), fc.record({ Json: fc.oneof(output, odd) }), odd);
const result = rarely(
  sometimes({
    tool_use_id: id,
    content: rarely(fc.array(block, { maxLength: 2 })),
    status: fc.constantFrom('Success', 'Error', 'Odd', null),
  }),
);
const resultList = fc.array(result, { maxLength: 3 });
const content = fc.oneof(
  fc.record({ Prompt: fc.record({ prompt: text }) }),
  fc.record({ ToolUseResults: fc.record({ tool_use_results: resultList }) }),
  fc.record({ CancelledToolUses: fc.record({ prompt: fc.oneof(text, fc.constant(null)), tool_use_results: resultList }) }),
  odd,
);
const call = rarely(
  sometimes({
    id,
    name: fc.constantFrom('fs_read', 'execute_bash', 'dummy'),
    orig_name: fc.constantFrom('fs_read', 'todo_list'),
    args: odd,
    orig_args: odd,
  }),
);
const assistant = fc.oneof(
  fc.record({ Response: sometimes({ message_id: rarely(fc.constantFrom('m1', 'm2', null)), content: text }) }),
  fc.record({
    ToolUse: sometimes({ message_id: fc.constantFrom('m3', null), content: text, tool_uses: fc.array(call, { maxLength: 3 }) }),
  }),
  odd,
);
const user = rarely(
  sometimes({
    additional_context: rarely(text),
    env_context: rarely(fc.record({ env_state: rarely(sometimes({ operating_system: rarely(text), current_working_directory: text })) })),
    content,
    timestamp: rarely(stamp),
    images: rarely(fc.constant(null)),
  }),
);
const metadata = rarely(
  sometimes({
    request_id: rarely(text),
    message_id: text,
    request_start_timestamp_ms: rarely(millis),
    stream_end_timestamp_ms: rarely(millis),
    tool_use_ids_and_names: rarely(fc.array(fc.tuple(id, text), { maxLength: 2 })),
    model_id: rarely(fc.constantFrom('a', 'b', null)),
  }),
);
const entry = rarely(
  fc.oneof(sometimes({ user, assistant, request_metadata: metadata }), fc.tuple(user, assistant), fc.tuple(user, assistant, metadata)),
);
const history = fc.array(entry, { maxLength: 6 });
const element = rarely(
  fc.oneof(
    text.map((line) => `> ${line}`),
    fc.tuple(text, fc.constantFrom('none', 'fs_read', 'fs_read,execute_bash')).map(([line, tools]) => said(line, ...tools.split(','))),
    text,
  ),
);
const transcript = fc.array(element, { maxLength: 10 });
const checkpoint = rarely(
  sometimes({
    tag: rarely(text),
    timestamp: rarely(stamp),
    description: rarely(text),
    history_snapshot: rarely(history),
    is_turn: fc.boolean(),
    tool_name: rarely(text),
  }),
);
const tangent = sometimes({
  main_history: rarely(history),
  main_next_message: rarely(user),
  main_transcript: rarely(transcript),
  main_latest_summary: odd,
  tangent_start_time: rarely(fc.constant([2026, 63, 21, 45, 12, 819902000, 0, 0, 0])),
});

export const conversationArbitrary = sometimes({
  conversation_id: rarely(fc.constant('c1')),
  next_message: rarely(fc.oneof(fc.constant(null), user)),
  history: rarely(history),
  transcript: rarely(transcript),
  tools: odd,
  context_manager: rarely(sometimes({ current_profile: rarely(text), paths: odd, hooks: odd, global_config: odd })),
  latest_summary: rarely(fc.oneof(text, fc.tuple(text, metadata))),
  model: rarely(text),
  model_info: rarely(fc.record({ model_id: rarely(text) })),
  file_line_tracker: odd,
  checkpoint_manager: rarely(sometimes({ checkpoints: rarely(fc.array(checkpoint, { maxLength: 3 })), file_stats_cache: odd })),
  tangent_state: rarely(tangent),
});
