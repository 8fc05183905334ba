import type { FileSource } from '../../evidence/source.js';
import type { Draft } from '../../rows/draft.js';
import type { FileParser } from '../parser.js';
import { blockRow } from './block-rows.js';
import { auditBlocks } from './blocks.js';
import { intentOf, nameOf, projectOf } from './text.js';

// aidlc/spaces/<space>/intents/<intent>/audit/<host>-<clone>.md (older: aidlc-docs/audit.md): what the AI-DLC engine wrote down of a
// workflow under Kiro or another host: sessions, turns of a person, decisions at gates, guards that were switched off or that
// blocked, artifacts written, delegates that ended, each with a time in seconds.
// It proves that the engine recorded the event, on the machine the shard is named after. It cannot show the words of a turn, or
// that an answer it recorded was a person's own: the agent runs the command that records it. It is a file in the project that the
// agent can write to; nothing in it shows a change. Layouts of several releases. Evidence: L4, awslabs/aidlc-workflows:
// docs/guide/10-state-and-audit.md, harness/kiro-ide, shards of several projects.

export const aiDlcAudit: FileParser = { id: 'ai-dlc-audit', container: 'file', parse };

function* parse(source: FileSource): Generator<Draft> {
  const { artifact } = source;
  const shared = { shard: nameOf(artifact).replace(/\.md$/i, ''), ...intentOf(artifact) };
  const columns = projectOf(artifact);
  for (const block of auditBlocks(source)) {
    if ('error' in block) yield { ...block.error, ...columns };
    else {
      const row = blockRow(block);
      yield { ...row, ...columns, details: { ...row.details, ...shared } };
    }
  }
}
