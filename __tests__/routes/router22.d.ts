/** Router 2.2 came without types; those of 2.3 fit. */
declare module 'router22' {
  export { default } from 'router';
}
