/** Returns true for every file, because in a browser the host may run any template by its name. */
export function runByPages(): () => boolean {
  return () => true
}
