/** In a browser the host may run any template by its name. */
export function runByPages(): () => boolean {
  return () => true
}
