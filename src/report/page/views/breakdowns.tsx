/** Tools by decision, decisions, secrets by rule: counted over the rows once they are there. */
import { useMemo } from 'preact/hooks';
import { START } from '../data/place.js';
import type { Timeline } from '../data/timeline.js';
import { useModel, useSelected } from '../model/use.js';
import { type BarEntry, BarList } from '../parts/bar-list.js';
import { toneOfDecision } from '../parts/tags.js';
import { plural } from '../text/numbers.js';
import { oneLine } from '../text/pieces.js';
import { originalOf, type Raw } from '../text/raw.js';

const FIRST = 10;

type Verdict = 'approved' | 'denied' | 'open';

interface ToolCount {
  readonly tool: Raw;
  readonly by: Record<Verdict, number>;
}

export function Breakdowns() {
  const model = useModel();
  const timeline = useSelected(({ loaded }) => loaded?.timeline);
  const counted = useMemo(() => (timeline === undefined ? null : countAll(timeline)), [timeline]);
  if (counted === null) return <p class="muted">Tools, decisions and secrets are counted when the rows are read…</p>;
  const only = (key: string, value: Raw, also: readonly (readonly [string, readonly Raw[]])[] = []) =>
    model.go({ ...START, view: 'timeline', chosen: new Map([[key, [value]], ...also]) });
  const tools = counted.tools.slice(0, FIRST).map(
    ({ tool, by }): BarEntry => ({
      key: originalOf(tool),
      label: oneLine(tool, 60) || 'no name',
      shares: [
        { name: 'approved', tone: 'tool', n: by.approved },
        { name: 'denied or cancelled', tone: 'denied', n: by.denied },
        { name: 'no decision on record', tone: 'other', n: by.open },
      ],
      open: () => only('tool', tool),
    }),
  );
  const simple = (key: string, entries: readonly (readonly [Raw, number])[], toneFor: (value: string) => string) =>
    entries.slice(0, FIRST).map(
      ([value, n]): BarEntry => ({
        key: originalOf(value),
        label: oneLine(value, 60),
        shares: [{ name: 'rows', tone: toneFor(originalOf(value)), n }],
        open: () => only(key, value),
      }),
    );
  return (
    <div class="thirds">
      <section>
        <h2>
          Tools <small>calls by decision</small>
        </h2>
        <BarList entries={tools} empty="No calls." />
        <More left={counted.tools.length - FIRST} />
        <p class="legend">
          <span>
            <span class="swatch fill tool" /> approved
          </span>
          <span>
            <span class="swatch fill denied" /> denied
          </span>
          <span>
            <span class="swatch fill other" /> not recorded
          </span>
        </p>
      </section>
      <section>
        <h2>Decisions</h2>
        <BarList
          entries={simple('decision', counted.decisions, (value) => toneOfDecision(value).replace('muted', 'other'))}
          empty="None on record."
        />
        <More left={counted.decisions.length - FIRST} />
      </section>
      <section>
        <h2>
          Secrets <small>rows by rule</small>
        </h2>
        <BarList entries={simple('secret', counted.secrets, () => 'denied')} empty="None found." />
        <More left={counted.secrets.length - FIRST} />
      </section>
    </div>
  );
}

function More({ left }: { readonly left: number }) {
  return left > 0 ? <p class="muted">and {plural(left, 'other')}, in the facets of the timeline</p> : null;
}

interface Counted {
  readonly tools: readonly ToolCount[];
  readonly decisions: readonly (readonly [Raw, number])[];
  readonly secrets: readonly (readonly [Raw, number])[];
}

/** Copies say nothing new and are left out. */
function countAll(timeline: Timeline): Counted {
  const copies = timeline.words('duplicate').of;
  const kinds = timeline.words('row_type');
  const use = kinds.values.findIndex((value) => originalOf(value) === 'tool_use');
  const decision = timeline.words('decision');
  const verdictOfValue = decision.values.map((value) => verdictOf(originalOf(value)));
  const call = timeline.words('call').of;
  const verdicts = new Map<number, Verdict>();
  for (let row = 0; row < timeline.rows; row++) {
    const verdict = verdictOfValue[decision.of[row] ?? 0] ?? 'open';
    const number = call[row] ?? 0;
    if (verdict !== 'open' && number !== 0) verdicts.set(number, verdict);
  }
  const tools = timeline.words('tool_name');
  const byTool = new Map<number, Record<Verdict, number>>();
  for (let row = 0; row < timeline.rows; row++) {
    if (kinds.of[row] !== use || copies[row] !== 0) continue;
    const tool = tools.of[row] ?? 0;
    const by = byTool.get(tool) ?? { approved: 0, denied: 0, open: 0 };
    by[verdicts.get(call[row] ?? 0) ?? 'open'] += 1;
    byTool.set(tool, by);
  }
  const sum = ({ by }: ToolCount) => by.approved + by.denied + by.open;
  return {
    tools: [...byTool]
      .flatMap(([tool, by]) => (tools.values[tool] === undefined ? [] : [{ tool: tools.values[tool], by }]))
      .sort((a, b) => sum(b) - sum(a)),
    decisions: tally(timeline, 'decision', copies),
    secrets: tally(timeline, 'secret_rules', copies),
  };
}

function verdictOf(decision: string): Verdict {
  if (decision === 'approved') return 'approved';
  return decision === 'denied' || decision === 'cancelled' || decision === 'abandoned' ? 'denied' : 'open';
}

function tally(timeline: Timeline, name: 'decision' | 'secret_rules', copies: ArrayLike<number>): [Raw, number][] {
  const { of, values } = timeline.words(name);
  const counts = new Array<number>(values.length).fill(0);
  for (let row = 0; row < timeline.rows; row++) if (copies[row] === 0) counts[of[row] ?? 0] = (counts[of[row] ?? 0] ?? 0) + 1;
  return values
    .flatMap((value, place): [Raw, number][] => (place > 0 && (counts[place] ?? 0) > 0 ? [[value, counts[place] ?? 0]] : []))
    .sort((a, b) => b[1] - a[1]);
}
