/** `NoInfer` of TypeScript 5.4, for 5.0 to 5.3: TypeScript infers nothing for `T` from this position. */
export type NoInfer<T> = [T][T extends unknown ? 0 : never];
