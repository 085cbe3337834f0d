/** Groups the digits of large numbers by three. */

/** Inserts a delimiter between the thousands. */
export function groupDigits(digits: string, delimiter: string): string {
  if (delimiter === '' || digits.length <= 3) return digits
  const groups: string[] = []
  for (let end = digits.length; end > 0; end -= 3) groups.unshift(digits.slice(Math.max(0, end - 3), end))
  return groups.join(delimiter)
}
