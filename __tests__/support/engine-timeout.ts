/** Milliseconds after which the servers of the fault tests have set up their drivers to give up. */
export const engineTimeout = 2_000;
