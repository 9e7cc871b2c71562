/**
 * Milliseconds for which what was read of a stack is trusted, where its length still says the same. After them it is
 * compared, or looked for, as a whole: to do that on every request would cost more than the lookup itself.
 */
export const recheckAfter = 500;
