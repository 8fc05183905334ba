/** Components that draw a part of the state, again whenever that part changes. */
import { createContext } from 'preact';
import { useContext, useEffect, useReducer, useRef } from 'preact/hooks';
import type { Model } from './model.js';
import type { State } from './state.js';

export const ModelContext = createContext<Model | null>(null);

export function useModel(): Model {
  const model = useContext(ModelContext);
  if (model === null) throw new Error('no model');
  return model;
}

export function useSelected<T>(select: (state: State) => T): T {
  const model = useModel();
  const [, again] = useReducer((count: number) => count + 1, 0);
  const selected = select(model.state);
  const last = useRef({ selected, select });
  last.current = { selected, select };
  useEffect(
    () =>
      model.subscribe(() => {
        if (!Object.is(last.current.select(model.state), last.current.selected)) again(0);
      }),
    [model],
  );
  return selected;
}
