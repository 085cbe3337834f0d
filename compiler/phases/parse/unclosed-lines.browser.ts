/** In a browser lines that fit no tag are told one by one. */
export function unclosedLines(): null {
  return null
}
