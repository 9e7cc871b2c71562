/**
 * The `pointer` of a problem document. A JSON Pointer can be as long as the request, but an answer must stay
 * small, so a long pointer is left out. Shortened, it would name another member, or none.
 */
export function pointerMember(pointer: string | undefined, maxLength = 1_000): { readonly pointer?: string } {
  return pointer === undefined || pointer.length > maxLength ? {} : { pointer };
}
