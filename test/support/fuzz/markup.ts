/** Finds values that were printed in a page as markup. */

/** Markup that templates and tags print. A pattern matches an attribute only if no printed value has ended the attribute early. */
const OWN_MARKUP = [
  // A caught error may leave an attribute open. If a value ends it early, the remaining `>` is found.
  /<i t="(?:[^"<>]*">)?/g,
  /<tr class="row\d+">|<td class="col\d+">|<\/t[dr]>/g,
  // Markup of forms.
  /<(?:form|input)(?: [\w-]+(?:="[^"<>]*")?)*(?: \/)?>|<\/form>/g,
]

/** Returns the first markup that no template contains, with its surroundings. Null if there is none. */
export function findMarkup(page: string): string | null {
  const rest = OWN_MARKUP.reduce((text, own) => text.replace(own, ''), page)
  // `to_xml` writes `&apos;`, which `escape_once` leaves unchanged.
  const found = /[<>]|&(?!(?:amp|lt|gt|quot|#39|apos);)/.exec(rest)
  return found === null ? null : rest.slice(Math.max(0, found.index - 60), found.index + 60)
}
