/** What a partial's name says by itself. */

/** `cards/user` binds `with` to `user`. */
export function baseName(name: string): string {
  return name.slice(name.lastIndexOf('/') + 1)
}
