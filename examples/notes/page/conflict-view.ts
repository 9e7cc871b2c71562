import type { Conflict } from 'patch-options/client';
import type { Note } from '../note.js';
import { button, element, newId } from './element.js';
import { fieldLabels, fields, readField, type Field } from './fields.js';

/** Asks whose version to keep, for each field that both have changed. Everything else is merged. */
export function conflictView(conflict: Conflict<Note>, decide: (decided: Note) => void): HTMLElement {
  const { base, theirs, paths, withMine, withTheirs } = conflict;
  // An empty path is the whole note.
  const disputed = fields.filter((field) =>
    paths.some((path) => path === '' || path.split('/')[1] === field),
  );
  const id = newId();
  const view = element(
    'form',
    { class: 'conflict', role: 'group', tabindex: '-1', 'aria-labelledby': id },
    element('h3', { id }, `Somebody else changed “${base.title}” too`),
    ...disputed.map((field) => choice(field, { base, withTheirs, withMine })),
    element(
      'p',
      { class: 'hint' },
      'Choose whose version to keep. All other changes, yours and theirs, are kept.',
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
    const mine = disputed.filter((field) => chosen.get(field) === 'mine');
    decide({ ...withTheirs, ...Object.fromEntries(mine.map((field) => [field, withMine[field]])) });
  });
  return view;
}

/** One field: their version and mine, with the original between them. Neither version is preselected. */
function choice(
  field: Field,
  { base, withTheirs, withMine }: Pick<Conflict<Note>, 'base' | 'withTheirs' | 'withMine'>,
): HTMLElement {
  const version = (whose: 'Theirs' | 'Mine', note: Note) => {
    const radio = element('input', { type: 'radio', name: field, value: whose.toLowerCase(), required: '' });
    return element('label', { class: 'version' }, element('span', {}, radio, ` ${whose}`), text(note, field));
  };
  const original = element('div', { class: 'original' }, element('span', {}, 'Original'), text(base, field));
  return element(
    'fieldset',
    {},
    element(
      'legend',
      {},
      field === 'tags' ? `${fieldLabels.tags}: both of you have changed the list` : fieldLabels[field],
    ),
    element('div', { class: 'versions' }, version('Theirs', withTheirs), original, version('Mine', withMine)),
  );
}

function text(note: Note, field: Field): HTMLElement {
  const shown = readField(note, field);
  return shown === '' ? element('span', { class: 'empty' }, 'none') : element('span', {}, shown);
}
