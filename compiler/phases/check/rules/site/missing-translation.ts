/** `missing-translation`: a translation key that is not defined in the default language. */
import { withAbsentModule } from '../../../../core/diagnostics/absent-modules.ts'
import type { TranslationMap } from '../../../../core/model/settings.ts'
import type { LocatedText } from '../../walk/literal-text.ts'
import { BUILT_IN, FALLBACK_LOCALE, isPlural } from '../../walk/translations.ts'
import type { ReadableSite } from '../../walk/facts.ts'
import type { Walk } from '../../walk/walk.ts'
import { suggestName } from '../../../../core/diagnostics/change.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { textSite } from '../../../../core/diagnostics/text-site.ts'
import { quote } from '../../../../core/diagnostics/words.ts'

export const missingTranslation = message(
  'missing-translation',
  'warning',
  'TranslationKeyExists',
  (key: string, knownNames: Iterable<string>) => ({
    subject: { kind: 'translation', name: key },
    text: `There is no translation for ${quote(key)}.`,
    ...(suggestName(key, knownNames) ?? { hint: 'Define the key in `app/translations/en.yml`, or pass `default:`.' }),
  }),
  {
    wrong: textSite(`{{ 'home.titel' | t }}`, { en: 'home:\n    title: Home' }),
    right: textSite(`{{ 'home.title' | t }}`, { en: 'home:\n    title: Home' }),
  },
)

/** Reports a key without a translation in any language. */
export function checkMissingTranslation({ env: { site }, findings }: Walk, { text: key, span }: LocatedText): void {
  if (!BUILT_IN.test(key) && !mayBeInUnreadableFile(site, key))
    findings.report(withAbsentModule(site.modules, key, missingTranslation(span, key, knownKeys(site, key))))
}

/** Returns whether a translation file that could not be parsed seems to contain the key. */
function mayBeInUnreadableFile({ unreadTranslations }: ReadableSite, key: string): boolean {
  const name = key.slice(key.lastIndexOf('.') + 1).replace(/[^\w-]/g, '')
  const entry = new RegExp(`\\b${name}["']?\\s*:|^\\s*${name}\\b`, 'm')
  return unreadTranslations.some(({ file }) => entry.test(file.text))
}

/** Returns the keys to suggest for a misspelled key: all keys outside of modules, and the keys of the same module. */
function knownKeys(site: ReadableSite, key: string): readonly string[] {
  const tree = site.translations.get(FALLBACK_LOCALE) ?? site.translations.values().next().value
  if (tree === undefined) return []
  const keys: string[] = []
  collectKeys(tree, key.startsWith('modules/') ? `${key.split('/', 2).join('/')}/` : '', '', keys)
  return keys
}

function collectKeys(map: TranslationMap, module: string, path: string, keys: string[]): void {
  for (const [name, node] of map.entries) {
    if (path === '' && name.startsWith('modules/')) {
      if (module === `${name}/` && node.kind === 'map') collectKeys(node, '', module, keys)
      continue
    }
    const full = path === '' || path.endsWith('/') ? path + name : `${path}.${name}`
    if (node.kind === 'map' && !isPlural(node)) collectKeys(node, '', full, keys)
    else keys.push(full)
  }
}
