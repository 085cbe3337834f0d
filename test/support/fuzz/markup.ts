/** Looks for values that arrived in a page as markup. */

/** What templates and tags print themselves: an attribute is told only where no value has ended it. */
const OWN = [
  /<i t="[^"<>]*">/g,
  /<tr class="row\d+">|<td class="col\d+">|<\/t[dr]>/g,
  // Of forms.
  /<(?:form|input)(?: [\w-]+(?:="[^"<>]*")?)*(?: \/)?>|<\/form>/g,
]

/** The first markup that no template has written, with what stands around it; null for none. */
export function markupIn(page: string): string | null {
  const rest = OWN.reduce((text, own) => text.replace(own, ''), page)
  const found = /[<>]|&(?!(?:amp|lt|gt|quot|#39);)/.exec(rest)
  return found === null ? null : rest.slice(Math.max(0, found.index - 60), found.index + 60)
}
