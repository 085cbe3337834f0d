/** `unplaced-argument`: an argument of `t` for which no translation has a placeholder. */
import { findTypo } from '../../../../core/diagnostics/suggest.ts'
import { derived } from '../../../../core/model/derived.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { FilterCall } from '../../../../core/tree/ast.ts'
import { translationTexts } from '../../site/translations.ts'
import { placeholdersIn, REPLACING_ARGUMENTS } from '../../walk/translations.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const unplacedArgument = message(
  'unplaced-argument',
  'warning',
  'WS35',
  (name: string, suggestion: string) => ({
    text: `No translation has a placeholder ${quote(name)}.`,
    ...suggestName(name, [suggestion]),
  }),
  {
    wrong: textSite(`{% assign key = context.params.key %}{{ key | t: nmae: 'Ada' }}{{ 'hello' | t: name: 'Ada' }}`, {
      en: 'hello: Hello %{name}',
    }),
    right: textSite(`{% assign key = context.params.key %}{{ key | t: name: 'Ada' }}{{ 'hello' | t: name: 'Ada' }}`, {
      en: 'hello: Hello %{name}',
    }),
  },
)

/** Reports arguments of a filter with a computed key that are misspelled placeholders. */
export function checkUnplacedArguments(walk: Walk, { named }: FilterCall): void {
  const argumentNames = named
    .map(({ name }) => name)
    .filter(({ name }) => name !== 'count' && !REPLACING_ARGUMENTS.has(name))
  if (argumentNames.length === 0) return
  const placeholders = placeholdersOf(walk.env.site.translations)
  for (const { name, span } of argumentNames) {
    const suggestion = placeholders.has(name) ? null : findTypo(name, placeholders)
    if (suggestion !== null) walk.report(unplacedArgument(span, name, suggestion))
  }
}

const placeholdersOf = derived(
  (translations: Site['translations']) =>
    new Set(
      [...translationTexts({ translations })].flatMap(([, { value }]) =>
        typeof value === 'string' ? placeholdersIn(value) : [],
      ),
    ),
)
