/** The state of the page, in one place; whoever shows some of it is told when it changes. */
export function makeStore(initial) {
  let state = initial;
  const listeners = [];
  return {
    get: () => state,
    /** Change some of it; all listeners to these names are told once, in the order they came. */
    set(change) {
      state = { ...state, ...change };
      for (const { names, listener } of listeners) {
        if (names.some((one) => one in change)) listener(state);
      }
    },
    on(names, listener) {
      listeners.push({ names, listener });
    },
  };
}
