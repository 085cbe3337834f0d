/** `unmatched-name`: a computed name with a known beginning or end that no partial has. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { mayBeAbsent } from '../../../../core/diagnostics/absent-modules.ts'
import { hasEnds, type TextPattern } from '../../../../core/model/outline.ts'
import type { PartialCall } from '../../../../language/tags/tag.ts'
import { nearEnds } from '../../walk/partial-name.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a computed name that no partial matches. Returns the files that a similar name matches. */
export function checkUnmatchedName(
  walk: Walk,
  { kind, span }: PartialCall,
  { prefix, suffix }: TextPattern,
): readonly string[] {
  const { site } = walk.env
  // A theme name can match below any of the theme search paths.
  if (kind === 'theme' || !walk.platform || mayBeAbsent(site.modules, prefix)) return []
  const nearest = nearEnds(prefix, suffix, [...site.partials.keys()])
  walk.report(unmatchedName(span, prefix, suffix, nearest?.suggestion ?? null))
  if (nearest === null) return []
  const similar = [...site.partials].filter(([name]) => hasEnds(name, nearest.prefix, nearest.suffix))
  return similar.map(([, unit]) => unit.file.path)
}

export const unmatchedName = message(
  'unmatched-name',
  'warning',
  'WS10',
  (prefix: string, suffix: string, similarName: string | null) => ({
    subject: { kind: 'partial', name: `${prefix}…${suffix}` },
    text: `This computed name ${describeEnds(prefix, suffix)}, but no partial has such a name.`,
    hint:
      similarName === null
        ? undefined
        : prefix === `lib/${similarName}`
          ? `Remove \`lib/\`: begin the name with ${quote(similarName)}.`
          : `Did you mean ${quote(similarName)}?`,
  }),
  {
    wrong: `{% assign name = 'crads/' | append: context.params.a %}{% include name %}{% render 'cards/one' %}`,
    right: `{% render 'cards/one' %}`,
    both: { 'app/views/partials/cards/one.liquid': 'x' },
  },
)

function describeEnds(prefix: string, suffix: string): string {
  const first = prefix === '' ? null : `begins with ${quote(prefix)}`
  const last = suffix === '' ? null : `ends with ${quote(suffix)}`
  return [first, last].filter((each) => each !== null).join(' and ')
}
