/** As the one of TypeScript 5.4, for 5.0 to 5.3: nothing is inferred for `T` from where this stands. */
export type NoInfer<T> = [T][T extends unknown ? 0 : never];
