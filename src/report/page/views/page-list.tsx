/** The pages of a report that was split: plain relative links, the only ones of this page that leave it. */
import { useSelected } from '../model/use.js';
import { count, plural } from '../text/numbers.js';
import { originalOf, type Raw } from '../text/raw.js';
import { spanText } from './statement.js';

export function PageList() {
  const parts = useSelected(({ summary }) => summary.parts);
  const rows = useSelected(({ summary }) => summary.rows);
  return (
    <section>
      <h2>
        Pages <small>the rows are in {plural(parts.length, 'page')}, whole sessions in each; a search runs inside one page</small>
      </h2>
      <table>
        <thead>
          <tr>
            <th scope="col">Page</th>
            <th scope="col" class="number">
              Rows
            </th>
            <th scope="col" class="number">
              Sessions
            </th>
            <th scope="col">Span</th>
          </tr>
        </thead>
        <tbody>
          {parts.map((part) => (
            <tr key={part.number}>
              <td>
                <a href={partHref(part.href)}>
                  Part {count(part.number)} of {count(parts.length)}
                </a>
              </td>
              <td class="number">{count(part.rows)}</td>
              <td class="number">{count(part.sessions)}</td>
              <td class="mono">{spanText(part.first_utc, part.last_utc)}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p class="muted">
        To search all {count(rows)} rows at once, ask the timeline itself, for example with DuckDB:{' '}
        <code>select * from read_json('timeline.jsonl') where text ilike '%curl%'</code>
      </p>
    </section>
  );
}

/** A plain relative address of ours; anything else leads nowhere but here: no scheme, no host. */
export function partHref(address: Raw): string {
  const text = originalOf(address);
  return /^(?:\.\.\/)?(?:[\w.~%!'()*-]+\/)?[\w.~%!'()*-]+\.html?$/.test(text) ? (text.startsWith('.') ? text : `./${text}`) : '#overview';
}
