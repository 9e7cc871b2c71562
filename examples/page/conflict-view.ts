import type { Refusal, TaggedNote } from './client.js';
import { button, element, newId, unlessBusy } from './element.js';
import { failureText } from './failure-text.js';
import { changedMembers, draftOf, members, rebased, type Draft, type Member } from './note-draft.js';

/** An edit that was refused, since the note is not in the state any more that it was made on. */
export interface Conflict {
  readonly refusal: Refusal;
  readonly base: TaggedNote;
  readonly mine: Draft;
  /** Undefined: somebody has deleted it. */
  readonly theirs: TaggedNote | undefined;
}

/** The two ways out. What `keepMine` throws is told in the view. */
export interface ConflictActions {
  readonly takeTheirs: () => void;
  readonly keepMine: (merged: Draft) => Promise<void>;
}

const names: Readonly<Record<Member, string>> = { title: 'Title', body: 'Text', tags: 'Tags' };

/** The answer, and both versions side by side. */
export class ConflictView {
  readonly root = element('div', { class: 'conflict', role: 'group', tabindex: '-1' });

  constructor(conflict: Conflict, { takeTheirs, keepMine }: ConflictActions) {
    const { refusal, base, mine, theirs } = conflict;
    const from = draftOf(base.note);
    const now = theirs && draftOf(theirs.note);
    const merged = now === undefined ? mine : rebased(mine, from, now);
    const id = newId();
    const problem = element('p', { class: 'problem', role: 'alert' });
    const choose = (act: () => Promise<void> | void) => (): Promise<void> =>
      unlessBusy(this.root, async () => {
        try {
          await act();
        } catch (error) {
          problem.textContent = failureText(error);
        }
      });
    const take = button('Take theirs', 'primary', choose(takeTheirs));
    const keep = button(
      'Keep mine',
      'primary',
      choose(() => keepMine(merged)),
    );
    this.root.setAttribute('aria-labelledby', id);
    this.root.append(
      element('h3', { id }, `${String(refusal.status)} ${refusal.title}`),
      element('p', {}, refusal.message),
      tagsOf(conflict),
      element(
        'div',
        { class: 'versions' },
        version('Theirs', now, now === undefined ? [] : changedMembers(from, now), take),
        version('Mine', merged, changedMembers(from, mine), keep),
      ),
      element('p', { class: 'hint' }, ...explanation(from, mine, now)),
      problem,
    );
  }

  focus(): void {
    this.root.focus();
  }
}

/** What was sent, and what is there: the two tags that do not match. */
function tagsOf({ base, theirs }: Conflict): HTMLElement {
  return element(
    'dl',
    { class: 'fields' },
    element('dt', {}, 'If-Match'),
    element('dd', { class: 'stale' }, base.tag),
    element('dt', {}, 'ETag now'),
    element('dd', {}, theirs?.tag ?? 'none'),
  );
}

/** A version with what its author changed marked, and the way to have it. */
function version(
  name: string,
  draft: Draft | undefined,
  changed: readonly Member[],
  choose: HTMLButtonElement,
): HTMLElement {
  const id = newId();
  const content =
    draft === undefined ? element('p', { class: 'empty' }, 'Deleted.') : memberList(draft, changed);
  const heading = element('h4', { id }, name);
  return element('section', { class: 'version', 'aria-labelledby': id }, heading, content, choose);
}

function memberList(draft: Draft, changed: readonly Member[]): HTMLElement {
  const list = element('dl');
  for (const member of members) {
    const text = member === 'tags' ? draft.tags.join(', ') : draft[member];
    const value = text === '' ? element('span', { class: 'empty' }, 'none') : text;
    list.append(
      element('dt', {}, names[member]),
      element('dd', {}, changed.includes(member) ? element('mark', {}, value) : value),
    );
  }
  return list;
}

/** What each choice does to the work of the other. */
function explanation(from: Draft, mine: Draft, theirs: Draft | undefined): readonly (Node | string)[] {
  if (theirs === undefined) return ['Taking theirs lets the note go. Keeping mine puts it back.'];
  const byMe = changedMembers(from, mine);
  const byThem = changedMembers(from, theirs);
  const overwritten = byThem.filter((member) => byMe.includes(member));
  const kept = byThem.filter((member) => !byMe.includes(member));
  return [
    element('mark', {}, 'Marked'),
    ' is what each of you has changed. ',
    overwritten.length > 0 ? `Keeping mine overwrites their ${listed(overwritten)}. ` : '',
    kept.length > 0 ? `Kept either way: their ${listed(kept)}.` : '',
  ];
}

function listed(some: readonly Member[]): string {
  return some.map((member) => names[member].toLowerCase()).join(' and ');
}
