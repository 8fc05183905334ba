/** All keys, and the switch for those who need single keys off. */
import { useEffect, useRef } from 'preact/hooks';
import { useModel, useSelected } from '../model/use.js';
import { KEYS } from './key-map.js';

export function Help() {
  const model = useModel();
  const open = useSelected((state) => state.help);
  const singleKeys = useSelected((state) => state.singleKeys);
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    if (open && dialog.current?.open === false) dialog.current.showModal();
    if (!open) dialog.current?.close();
  }, [open]);
  return (
    <dialog ref={dialog} aria-labelledby="help-title" onClose={() => model.set({ help: false })}>
      <h2 id="help-title">Keys</h2>
      <table>
        <tbody>
          {KEYS.map(([keys, meaning]) => (
            <tr key={keys}>
              <th scope="row">
                {keys.split(' ').map((key) => (
                  <kbd key={key}>{key}</kbd>
                ))}
              </th>
              <td>{meaning}</td>
            </tr>
          ))}
        </tbody>
      </table>
      <p>No key with Ctrl, Alt or Meta is taken: the browser's own search works, and finds all of an open session.</p>
      <p>Text from the evidence is only ever shown. Control, direction and invisible characters stand in amber boxes, such as “RLO”.</p>
      <p class="actions">
        <button type="button" aria-pressed={!singleKeys} onClick={() => model.set({ singleKeys: !singleKeys })}>
          Single keys off
        </button>
        <button type="button" onClick={() => model.set({ help: false })}>
          Close
        </button>
      </p>
    </dialog>
  );
}
