import { percentText, unescapeValue } from './decode.js';
import type { RuleSet } from './load.js';
import type { Report } from './raw.js';
import { classesOf, looksDrawn, strength } from './values.js';

const MOST = 300;
const STOPS = new Set([...' \t\r\n/?#"\'`<>\\,;()|{}'].map((char) => char.charCodeAt(0)));
const AT = 64;
const COLON = 58;

/** A password in a URL (RFC 3986, userinfo), with any scheme; the user may be empty, as in `redis://:x@host`. */
export function matchUserinfo(rules: RuleSet, text: string, from: number, report: Report): void {
  const rule = rules.byId.get('url-password');
  if (!rule) return;
  let colon = -1;
  let end = -1;
  const most = Math.min(text.length, from + MOST);
  for (let at = from; at < most; at += 1) {
    const unit = text.charCodeAt(at);
    if (STOPS.has(unit)) {
      // ${NAME} and {{name}} stand for the password: nothing to report
      break;
    }
    if (unit === COLON && colon < 0) colon = at;
    if (unit === AT && colon >= 0) end = at; // the last one: passwords hold unescaped signs, too
  }
  if (colon < 0 || end <= colon + 1) return;
  const raw = text.slice(colon + 1, end);
  const percent = percentText(raw);
  const value = percent ?? unescapeValue(raw);
  const { suppression } = rules;
  const strong = strength(value, true, true, rules.wordiness);
  if (strong === 'none' || suppression.isReference(value) || suppression.isExample(value)) return;
  const drawn = classesOf(value).digit || looksDrawn(value, rules.wordiness);
  const weak = suppression.isHarmless(value) || strong === 'weak' || !drawn;
  report({
    rule,
    source: 'format',
    confidence: weak ? 'low' : rule.confidence,
    start: colon + 1,
    end,
    value,
    ...(percent === undefined ? {} : { decoded: 'percent' }),
  });
}
