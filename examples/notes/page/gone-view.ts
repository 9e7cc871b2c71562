import { button, element, newId } from './element.js';

/** Asks what to do with a note that was deleted while it was being edited; true restores it. */
export function goneView(title: string, decide: (restore: boolean) => void): HTMLElement {
  const id = newId();
  const choice = (label: string, kind: string, restore: boolean) =>
    button(label, kind, () => {
      decide(restore);
    });
  return element(
    'div',
    { class: 'conflict', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('h3', { id }, `Somebody else deleted “${title}”`),
    element(
      'div',
      { class: 'actions' },
      choice('Restore it', 'primary', true),
      choice('Discard my changes', 'quiet', false),
    ),
  );
}
