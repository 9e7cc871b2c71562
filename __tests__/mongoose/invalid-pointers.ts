import { ProblemError } from '../../lib';

/** The pointers of the 422 that a write is refused with. */
export async function invalidPointers(write: Promise<unknown>): Promise<unknown> {
  const error: unknown = await write.then(
    (written) => new Error(`Written: ${JSON.stringify(written)}`),
    (thrown: unknown) => thrown,
  );
  if (!(error instanceof ProblemError) || error.status !== 422) throw error;
  return (error.problem['errors'] as { pointer?: string }[]).map(({ pointer }) => pointer);
}
