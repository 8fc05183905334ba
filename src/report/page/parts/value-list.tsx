import { originalOf, type Raw } from '../text/raw.js';
import { Shown } from '../text/shown.js';

/** Names of the evidence with their values, each name once. */
export function ValueList({ kind, values }: { readonly kind: 'arguments' | 'fields'; readonly values: readonly (readonly [Raw, Raw])[] }) {
  return (
    <dl class={kind}>
      {values.map(([name, value]) => (
        <div key={originalOf(name)}>
          <dt>
            <Shown of={name} code most={80} />
          </dt>
          <dd>
            <Shown of={value} code />
          </dd>
        </div>
      ))}
    </dl>
  );
}
