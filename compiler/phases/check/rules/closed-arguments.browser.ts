/** Browsers lack most filters whose arguments have closed lists. */
export function refusedBy(): null {
  return null
}
