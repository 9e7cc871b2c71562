/** An element with attributes and children. A string becomes a text node: nothing here is ever parsed as markup. */
export function element<Name extends keyof HTMLElementTagNameMap>(
  name: Name,
  attributes: Readonly<Record<string, string>> = {},
  ...children: readonly (Node | string)[]
): HTMLElementTagNameMap[Name] {
  const made = document.createElement(name);
  for (const [attribute, value] of Object.entries(attributes)) made.setAttribute(attribute, value);
  made.append(...children);
  return made;
}

/** A button that does one thing at a time. It is not disabled while it works, because it would lose the focus. */
export function button(label: string, kind: string, act: (click: MouseEvent) => unknown): HTMLButtonElement {
  const made = element('button', { type: 'button', class: `button ${kind}` }, label);
  made.addEventListener('click', (click) => {
    void unlessBusy(made, () => act(click));
  });
  return made;
}

/** Runs the action, unless an earlier action of this element is still running. */
export async function unlessBusy(started: HTMLElement, act: () => unknown): Promise<void> {
  if (started.ariaBusy === 'true') return;
  started.ariaBusy = 'true';
  try {
    await act();
  } finally {
    started.ariaBusy = null;
  }
}

/** An element of index.html. */
export function byId<Kind extends HTMLElement>(id: string, kind: new () => Kind): Kind {
  const found = document.getElementById(id);
  if (!(found instanceof kind)) throw new Error(`index.html has no ${kind.name} #${id}`);
  return found;
}

/** Moves the focus to an element, and scrolls its explanation into view, from the top if it is longer than the screen. */
export function focusFromTop(focused: HTMLElement, top: Element | null): void {
  focused.focus({ preventScroll: true });
  for (const shown of [focused, top]) shown?.scrollIntoView({ block: 'nearest' });
}

let labels = 0;

/** An id for an element that another element refers to. */
export function newId(): string {
  return `made-${String(labels++)}`;
}
