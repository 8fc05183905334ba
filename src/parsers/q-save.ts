/**
 * `/save` export: the conversation value as indented JSON, under any name and extension the user typed.
 *
 * Proves the same as the value in the database, at the time of saving; outlives its replacement there. Cannot show the
 * directory it was saved from other than through the entries' own working directory.
 *
 * Source: aws/amazon-q-developer-cli, crates/chat-cli/src/cli/chat/cli/persist.rs (1.10.0 to 1.19.7). Evidence level L1.
 */
import { conversationRows } from './conversation/conversation.js';
import { loadConversation } from './conversation/load.js';
import type { FileParser } from './parser.js';

const FIRST_KEY = /^(?:\uFEFF)?\s{0,4096}\{\s{0,4096}"(conversation_id|next_message|history|valid_history_range|transcript)"\s{0,256}:/;
const OWN_KEYS = /"(?:next_message|history|valid_history_range|transcript)"\s{0,256}:/;

export const qSave: FileParser = {
  id: 'q-save',
  container: 'file',

  /** The program writes `conversation_id` first; a file that was rewritten elsewhere may start with another of its members. */
  detect(head) {
    const text = head.toString('utf8');
    return FIRST_KEY.test(text) && OWN_KEYS.test(text) && text.includes('"conversation_id"');
  },

  divisible: true,

  *parse(source, _companions, share) {
    yield* conversationRows(loadConversation(source), { agent: source.artifact.agent, project: '', line: 0, rank: 2 }, share);
  },
};
