import type { Conflict } from 'patch-options/client';
import type { Note } from '../note.js';
import { button, element, newId } from './element.js';

const fields = { title: 'Title', body: 'Text', tags: 'Tags' } as const;
type Field = keyof typeof fields;

const names: readonly Field[] = ['title', 'body', 'tags'];

/** Asks of each field that both have changed whose it is to be. All else is merged, whatever is chosen. */
export function conflictView(conflict: Conflict<Note>, decide: (decided: Note) => void): HTMLElement {
  const { theirs, paths, withMine, withTheirs } = conflict;
  const disputed = names.filter((name) => paths.some((path) => path.split('/')[1] === name));
  const id = newId();
  const view = element(
    'form',
    { class: 'conflict', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('h3', { id }, 'You have both changed the same'),
    ...disputed.map((name) => choice(name, withTheirs, withMine)),
    element('p', { class: 'hint' }, 'Whatever else either of you has changed is kept.'),
    element(
      'div',
      { class: 'actions' },
      element('button', { class: 'button primary' }, 'Save'),
      button('Discard mine', 'quiet', () => {
        decide(theirs);
      }),
    ),
  );
  view.addEventListener('submit', (event) => {
    event.preventDefault();
    const chosen = new FormData(view);
    const mine = disputed.filter((name) => chosen.get(name) === 'mine');
    decide({ ...withTheirs, ...Object.fromEntries(mine.map((name) => [name, withMine[name]])) });
  });
  return view;
}

/** One field, side by side. Neither is chosen before a person does. */
function choice(name: Field, theirs: Note, mine: Note): HTMLElement {
  const version = (whose: 'Theirs' | 'Mine', note: Note) => {
    const radio = element('input', { type: 'radio', name, value: whose.toLowerCase(), required: '' });
    const text = String(note[name] ?? '');
    const value = text === '' ? element('span', { class: 'empty' }, 'none') : element('span', {}, text);
    return element('label', { class: 'version' }, element('span', {}, radio, ` ${whose}`), value);
  };
  const versions = element('div', { class: 'versions' }, version('Theirs', theirs), version('Mine', mine));
  return element('fieldset', {}, element('legend', {}, fields[name]), versions);
}
