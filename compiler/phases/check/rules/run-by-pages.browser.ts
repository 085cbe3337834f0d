/** In a browser any template may be entered by its name. */
export function runByPages(): () => boolean {
  return () => true
}
