import { button, element, newId } from './element.js';

/** Asks what is to become of a note that somebody has deleted while it was edited: true puts it back. */
export function goneView(decide: (putBack: boolean) => void): HTMLElement {
  const id = newId();
  const choice = (label: string, kind: string, putBack: boolean) =>
    button(label, kind, () => {
      decide(putBack);
    });
  return element(
    'div',
    { class: 'conflict', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('h3', { id }, 'Somebody has deleted this note'),
    element(
      'div',
      { class: 'actions' },
      choice('Put it back', 'primary', true),
      choice('Let it go', 'quiet', false),
    ),
  );
}
