/** Makes one for each store, so that two handlers over one store have it in common. */
export function onePerStore<V>(make: () => V): (store: object) => V {
  const made = new WeakMap<object, V>();
  return (store) => {
    let one = made.get(store);
    if (one === undefined) made.set(store, (one = make()));
    return one;
  };
}
