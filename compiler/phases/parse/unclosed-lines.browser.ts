/** Replacement for browsers: each line that fits no tag is reported separately. */
export function findUnclosedLiquidTag(): null {
  return null
}
