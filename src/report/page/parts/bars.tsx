/** Stacked bars over time, drawn as one path a colour, with a brush. */
import { utcTicks } from 'd3-time';
import { useRef, useState } from 'preact/hooks';
import type { Span } from '../data/filter.js';
import { GROUP_TONES } from '../data/kinds.js';
import { duration, utcMinutes } from '../text/numbers.js';

const WIDTH = 1000;

interface BarsProps {
  readonly bins: readonly (readonly number[])[];
  readonly span: Span;
  readonly height: number;
  /** What the plot shows, as a sentence for those who do not see it. */
  readonly sentence: string;
  readonly onBrush: (span: Span) => void;
}

export function Bars({ bins, span, height, sentence, onBrush }: BarsProps) {
  const highest = Math.max(1, ...bins.map((bin) => bin.reduce((sum, n) => sum + n, 0)));
  return (
    <div class="plot">
      <Brush span={span} bins={bins.length} onBrush={onBrush}>
        <svg class="bars" viewBox={`0 0 ${WIDTH} ${height}`} preserveAspectRatio="none" role="img" aria-label={sentence} height={height}>
          <path class="rule" d={`M0 .5H${WIDTH}M0 ${Math.round(height / 2)}.5H${WIDTH}M0 ${height - 0.5}H${WIDTH}`} />
          {GROUP_TONES.map((tone, group) => (
            <path key={tone} class={`fill ${tone}`} d={barsPath(bins, group, highest, height)} />
          ))}
        </svg>
      </Brush>
      <Axis span={span} />
    </div>
  );
}

/** All bars of one group, each standing on those of the groups before it. */
function barsPath(bins: BarsProps['bins'], group: number, highest: number, height: number): string {
  const step = WIDTH / Math.max(1, bins.length);
  const scale = (height - 2) / highest;
  const parts: string[] = [];
  bins.forEach((bin, place) => {
    const n = bin[group] ?? 0;
    if (n === 0) return;
    const below = bin.slice(0, group).reduce((sum, value) => sum + value, 0);
    const top = height - (below + n) * scale;
    const x = place * step;
    parts.push(
      `M${x.toFixed(1)} ${top.toFixed(2)}h${(step * 0.86).toFixed(2)}v${Math.max(0.7, n * scale).toFixed(2)}h${(-step * 0.86).toFixed(2)}z`,
    );
  });
  return parts.join('');
}

/** Ticks as text beside the plot, which is stretched. */
function Axis({ span }: { readonly span: Span }) {
  const placeOf = (time: Date) => (100 * (time.getTime() - span.from)) / Math.max(1, span.to - span.from);
  const short = span.to - span.from < 3 * 86_400_000;
  return (
    <div class="axis" aria-hidden="true">
      {utcTicks(new Date(span.from), new Date(span.to), 7).map((tick) => {
        const at = placeOf(tick);
        if (at < 3 || at > 96) return null;
        const text = utcMinutes(tick.getTime());
        return (
          <span key={text} style={{ left: `${at.toFixed(2)}%` }}>
            {short ? text.slice(5) : text.slice(0, 10)}
          </span>
        );
      })}
    </div>
  );
}

interface BrushProps {
  readonly span: Span;
  readonly bins: number;
  readonly onBrush: (span: Span) => void;
  readonly children: preact.ComponentChildren;
}

/** Drag to choose a span. The pointer's way only: the same span can be typed beside the facets. */
function Brush({ span, bins, onBrush, children }: BrushProps) {
  const area = useRef<HTMLDivElement>(null);
  const [drag, setDrag] = useState<{ readonly from: number; readonly to: number } | null>(null);
  const shareAt = (event: PointerEvent) => {
    const box = area.current?.getBoundingClientRect();
    return box === undefined ? 0 : Math.min(1, Math.max(0, (event.clientX - box.left) / Math.max(1, box.width)));
  };
  const timeAt = (share: number) => span.from + share * (span.to - span.from);
  const begin = (event: PointerEvent) => {
    if (event.button !== 0) return;
    area.current?.setPointerCapture(event.pointerId);
    const share = shareAt(event);
    setDrag({ from: share, to: share });
  };
  const finish = () => {
    if (drag === null) return;
    setDrag(null);
    const [low, high] = [Math.min(drag.from, drag.to), Math.max(drag.from, drag.to)];
    // A click chooses the bar under it; less than that is no span.
    const bin = Math.floor(low * bins);
    const chosen =
      (high - low) * bins < 0.5 ? { from: timeAt(bin / bins), to: timeAt((bin + 1) / bins) } : { from: timeAt(low), to: timeAt(high) };
    onBrush({ from: Math.floor(chosen.from), to: Math.ceil(chosen.to) });
  };
  const low = drag === null ? 0 : Math.min(drag.from, drag.to);
  const width = drag === null ? 0 : Math.abs(drag.to - drag.from);
  return (
    <div
      class="brush"
      ref={area}
      onPointerDown={begin}
      onPointerMove={(event) => drag !== null && setDrag({ ...drag, to: shareAt(event) })}
      onPointerUp={finish}
      onPointerCancel={() => setDrag(null)}
    >
      {children}
      {drag !== null && width > 0 && (
        <div class="brushed" style={{ left: `${low * 100}%`, width: `${width * 100}%` }}>
          <span>
            {utcMinutes(timeAt(low))} – {utcMinutes(timeAt(low + width))}
          </span>
        </div>
      )}
    </div>
  );
}

export const binWidth = (span: Span, bins: number): string => duration(Math.round((span.to - span.from) / Math.max(1, bins)));
