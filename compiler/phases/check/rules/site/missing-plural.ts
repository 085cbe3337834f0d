/** `missing-plural`: a translation that is used with `count` but lacks plural forms. */
import type { TranslationNode } from '../../../../core/model/settings.ts'
import { ofTranslations, twins } from '../../site/translations.ts'
import type { LocatedText } from '../../walk/literal-text.ts'
import { isPlural } from '../../walk/translations.ts'
import type { Walk } from '../../walk/walk.ts'
import type { Span } from '../../../../core/source/span.ts'
import { message, relatedAt } from '../../../../core/diagnostics/diagnostic.ts'
import { joinWithAnd, quote } from '../../../../core/diagnostics/words.ts'

export const missingPlural = message(
  'missing-plural',
  'warning',
  'WS35',
  (key: string, missingNames: Iterable<string>, forms: Span | null = null) => ({
    subject: { kind: 'translation', name: key, names: [...missingNames] },
    text: `The translation ${quote(key)} is used with \`count\`, but it has no plural form ${joinWithAnd(missingNames)}.`,
    related: relatedAt(forms, 'its plural forms are here'),
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{{ 'cart.items' | t: count: 2 }}`,
      'app/translations/en.yml': `en:
  cart:
    items:
      one: "%{count} item"
`,
    },
    right: {
      'app/views/pages/index.liquid': `{{ 'cart.items' | t: count: 2 }}`,
      'app/translations/en.yml': `en:
  cart:
    items:
      one: "%{count} item"
      other: "%{count} items"
`,
    },
  },
)

/** Reports a translation that is used with `count` and that lacks a plural form of English. */
export function checkPluralForms(walk: Walk, { text: key, span }: LocatedText, translation: TranslationNode): void {
  if (translation.kind !== 'map' || !isPlural(translation)) return
  const missingNames = ['one', 'other'].filter((form) => !translation.entries.has(form))
  if (missingNames.length > 0) walk.report(missingPlural(span, key, missingNames, translation.keySpan))
}

/** Reports translations that lack the form `other`, which the same translations in the default language have. */
// "Pure" lets bundles for browsers, which have no such rule, leave it out.
export const checkPluralsOfLanguages = /* @__PURE__ */ ofTranslations('plurals', (site) =>
  [...twins(site)].flatMap(({ key, one, other, kind }) =>
    kind === 'texts' && hasOnlyForm(one, other) ? [missingPlural(other.keySpan, key, ['other'])] : [],
  ),
)

/** Returns whether only the first of two translations has the form `other`. */
function hasOnlyForm(one: TranslationNode, other: TranslationNode): boolean {
  return one.kind === 'map' && other.kind === 'map' && one.entries.has('other') && !other.entries.has('other')
}
