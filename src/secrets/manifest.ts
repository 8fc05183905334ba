import { base64Text } from './decode.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';

const MOST = 8192;
const ENTRY = /^[ \t]{1,16}["']?([\w.-]{1,128})["']?:[ \t]{1,8}["']?([A-Za-z0-9+/]{4,4096}={0,2})["']?[ \t\r]{0,8}$/;

/** Values under `data:` of a Kubernetes Secret are base64 by definition (kubernetes.io/docs/concepts/configuration/secret). */
export function matchManifest(rules: RuleSet, text: string, from: number, report: Report): void {
  const rule = rules.byId.get('kubernetes-secret');
  if (!rule) return;
  let at = text.indexOf('\n', from) + 1;
  let inData = false;
  const most = Math.min(text.length, from + MOST);
  while (at > 0 && at < most) {
    const found = text.indexOf('\n', at);
    const end = found < 0 ? text.length : found;
    const line = text.slice(at, Math.min(end, at + 4400));
    if (line.startsWith('---') || /^kind:/i.test(line)) return; // the next document
    if (/^\w/.test(line)) inData = line.startsWith('data:');
    const entry = inData ? ENTRY.exec(line) : null;
    const [, key = '', encoded = ''] = entry ?? [];
    const value = encoded === '' ? undefined : base64Text(encoded);
    if (value !== undefined && value.length >= 4) {
      const start = at + line.lastIndexOf(encoded);
      report({ rule, source: 'location', confidence: rule.confidence, start, end: start + encoded.length, value, key, decoded: 'base64' });
    }
    at = end + 1;
  }
}
