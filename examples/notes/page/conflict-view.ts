import type { Conflict } from 'patch-options/client';
import type { Note } from '../note.js';
import { button, element, newId } from './element.js';

const fields = { title: 'Title', body: 'Text', tags: 'Tags' } as const;
type Field = keyof typeof fields;

const names: readonly Field[] = ['title', 'body', 'tags'];

/** Asks whose version to keep, for each field that both have changed. Everything else is merged. */
export function conflictView(conflict: Conflict<Note>, decide: (decided: Note) => void): HTMLElement {
  const { theirs, paths, withMine, withTheirs } = conflict;
  const disputed = names.filter((name) => paths.some((path) => path.split('/')[1] === name));
  const id = newId();
  const view = element(
    'form',
    { class: 'conflict', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('h3', { id }, 'Someone else changed this too'),
    ...disputed.map((name) => choice(name, withTheirs, withMine)),
    element(
      'p',
      { class: 'hint' },
      'Choose a version of each field. All other changes, yours and theirs, are kept.',
    ),
    element(
      'div',
      { class: 'actions' },
      element('button', { class: 'button primary' }, 'Save'),
      button('Discard my changes', 'quiet', () => {
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

/** One field, side by side. Neither version is preselected. */
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
