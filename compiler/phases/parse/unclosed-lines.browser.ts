/** Stand-in for browsers: each line that fits no tag is reported separately. */
export function unclosedLines(): null {
  return null
}
