/** `unused-file`: a layout, form, policy or notification that is never used. */
import { type Diagnostic, message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { CheckedSite } from '../../site/site-rule.ts'
import type { NamedReference } from '../../../../core/model/settings.ts'
import type { Site } from '../../../../core/model/site.ts'
import type { Unit } from '../../../../core/model/unit.ts'
import { addTo } from '../../../../core/source/groups.ts'
import { derivedFromFrame } from '../../../../core/model/derived.ts'
import { hasUnreadableTemplate } from '../../site/reach.ts'
import { literalText } from '../../walk/literal-text.ts'
import { wordCounter } from '../../../../core/model/word-counter.ts'
import { wordsIn } from '../../site/written-texts.ts'

export const unusedFile = message(
  'unused-file',
  'info',
  'UnusedFile',
  (noun: string, name: string) => ({
    text: `The ${noun} ${quote(name)} is never used in this site.`,
    hint: 'Remove the file, unless a computed name or a program uses it.',
  }),
  {
    wrong: 'x',
    right: '---\nlayout: old\n---\nx',
    both: { 'app/views/layouts/old.liquid': '<html lang="en">{{ content_for_layout }}</html>' },
  },
)

/** Counts the files that have a quoted text. */
const quotingFiles = wordCounter(({ file }: Unit) => (file.kind === 'asset' ? [] : wordsIn(file).quoted))

/** Returns whether the file belongs to the site itself: a module offers its files to other sites, too. */
function isOwnFile({ file }: Unit): boolean {
  return file.module === null && !file.override
}

const namedInSettings = derivedFromFrame(namesInSettings)
const hasComputedLayout = derivedFromFrame(({ units }) =>
  units.some(({ settings }) => 'computedLayout' in settings && settings.computedLayout !== null),
)

/** Reports the layouts, forms, policies and notifications of the site itself that nothing refers to by a name. */
export function checkUnusedFiles({ site, siteTemplates, factsOf, reach }: CheckedSite): readonly Diagnostic[] {
  // A template that could not be parsed may name any file.
  if (hasUnreadableTemplate(site)) return []
  const mayUseAnyForm = siteTemplates.some(({ key }) =>
    factsOf(key)?.notes.some(({ note }) => note.kind === 'include-form' && literalText(note.name) === null),
  )
  const mayUseAnyLayout = hasComputedLayout(site) || site.computedLayouts.size > 0
  const { counts: quoting } = quotingFiles(site.structureVersion, site.units)
  const namesInUse = namedInSettings(site)
  const usedLayouts = new Set([...site.pageLayouts.values()].map(({ file }) => file.path))
  const unusedUnits = (noun: string, units: ReadonlyMap<string, Unit>, isUsed: (unit: Unit) => boolean = () => false) =>
    [...namesByUnit(units)].flatMap(([unit, called]) => {
      const { path } = unit.file
      if (!isOwnFile(unit) || isUsed(unit)) return []
      const names = called.flatMap(spellings)
      if (names.some((each) => namesInUse.has(each))) return []
      const own = new Set(wordsIn(unit.file).quoted)
      if (names.some((each) => (quoting.get(each) ?? 0) > (own.has(each) ? 1 : 0))) return []
      return [unusedFile({ file: path, start: 0, end: 0 }, noun, called.at(-1) ?? '')]
    })
  return [
    ...(mayUseAnyLayout
      ? []
      : unusedUnits(
          'layout',
          site.layouts,
          (unit) => usedLayouts.has(unit.file.path) || reach.reached.has(unit.file.path),
        )),
    ...(mayUseAnyForm ? [] : unusedUnits('form', site.forms)),
    ...unusedUnits('authorization policy', site.policies),
    ...unusedUnits('email', site.emails),
    ...unusedUnits('text message', site.smses),
    ...unusedUnits('API call', site.apiCalls),
  ]
}

/** Returns a name as written and as the service writes it. */
function spellings(name: string): readonly string[] {
  return [name, name.replaceAll('_', '-')]
}

/** Returns all names of each unit. */
function namesByUnit(units: ReadonlyMap<string, Unit>): ReadonlyMap<Unit, readonly string[]> {
  const names = new Map<Unit, string[]>()
  for (const [name, unit] of units) addTo(names, unit, name)
  return names
}

/** Returns the names of files in the settings of the site. */
function namesInSettings({ units }: Site): ReadonlySet<string> {
  const names = units.flatMap(({ settings }): readonly (string | NamedReference | null | undefined)[] => {
    if (settings.kind === 'config') return [settings.studio?.policy]
    if (settings.kind === 'email') return [settings.layout]
    if (settings.kind === 'page') return [...settings.authorizationPolicies, settings.layout]
    if (settings.kind !== 'form') return []
    const { authorizationPolicies, emailNotifications, smsNotifications, apiCallNotifications } = settings
    return [...authorizationPolicies, ...emailNotifications, ...smsNotifications, ...apiCallNotifications]
  })
  return new Set(names.flatMap((each) => (typeof each === 'string' ? each : (each?.name ?? []))))
}
