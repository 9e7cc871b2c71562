/**
 * The `pointer` of a problem document. A JSON Pointer can be as long as the request, and an answer must stay
 * small: a longer one is left out, because what is left of a pointer that was cut names another member, or
 * none.
 */
export function pointerMember(pointer: string | undefined, maxLength = 1_000): { readonly pointer?: string } {
  return pointer === undefined || pointer.length > maxLength ? {} : { pointer };
}
