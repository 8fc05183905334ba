import type { ConversationValue } from './value.js';

/**
 * Lowest release that writes this shape, from fields that came with a release.
 * Source: aws/amazon-q-developer-cli, tags 1.10.0 to 1.19.7 (first tag that contains each change).
 */
export function versionHint(value: ConversationValue): string {
  const { members, history } = value;
  const stamps: string[] = [];
  let objects = false;
  for (let i = 0; i < Math.min(history.length, 8); i++) {
    const result = history.entry(i);
    if (!result.ok) continue;
    if (result.entry.steps.user === 'user') objects = true;
    if (result.entry.user.timestamp) stamps.push(result.entry.user.timestamp);
  }
  if ('checkpoint_manager' in members || value.checkpoints.length > 0) return '>=1.17.0';
  if (value.tangent !== undefined || stamps.some((stamp) => !stamp.endsWith('Z'))) return '>=1.15.0';
  if ('mcp_enabled' in members) return '>=1.14.1';
  if ('model_info' in members) return '>=1.14.0';
  if (stamps.length > 0) return '>=1.13.3';
  if ('file_line_tracker' in members) return '>=1.13.2';
  if (objects || Array.isArray(members.latest_summary)) return '>=1.13.0';
  return '1.10-1.12';
}
