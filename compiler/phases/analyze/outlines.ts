/** The outlines of all templates of a site. */
import { LANGUAGE, type Language, languageStamp } from '../../language/language.ts'
import type { Outline } from '../../core/model/outline.ts'
import { type Memo, NO_MEMO, NO_SOURCES, plain } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import { outlineTemplate } from './outline.ts'

/** Returns the outlines by file. Templates in front matter and `background` blocks are keyed by `file#path`. */
export function outlineSite(
  site: Site,
  memo: Memo = NO_MEMO,
  language: Language = LANGUAGE,
): ReadonlyMap<string, Outline> {
  return runSteps(outlineSteps(site, memo, language))
}

/** Like `outlineSite`, with a step for each file. */
export function* outlineSteps(site: Site, memo: Memo, language: Language): Steps<ReadonlyMap<string, Outline>> {
  const outlines = new Map<string, Outline>()
  const outlineOne = createUnitOutliner(site, memo, language, outlines)
  for (const unit of site.units) {
    outlineOne(unit)
    yield
  }
  return outlines
}

/** Returns the outlines of the templates of one file. */
export function outlineUnit(
  site: OutlinedSite,
  unit: Unit,
  memo: Memo,
  language: Language,
): ReadonlyMap<string, Outline> {
  const outlines = new Map<string, Outline>()
  createUnitOutliner(site, memo, language, outlines)(unit)
  return outlines
}

/** The data of a site that outlines depend on, in addition to the templates. */
type OutlinedSite = Pick<Site, 'dialect' | 'config' | 'layoutParts'>

function createUnitOutliner(
  { dialect, config, layoutParts }: OutlinedSite,
  memo: Memo,
  language: Language,
  outlines: Map<string, Outline>,
): (unit: Unit) => void {
  const filters = language.filters(dialect)
  const options = {
    dialect,
    tags: language.tags,
    suspendingFilter: (name: string) => filters.get(name)?.suspends ?? false,
  }
  const outlineAt = (unit: Unit, key: string, template: Template, parameters: readonly string[] | null): void => {
    outlines.set(
      key,
      memo.query({
        name: 'outline',
        key,
        inputs: () => [unitStamp(unit, config), dialect, languageStamp(language), parameters === null],
        sources: NO_SOURCES,
        codec: plain<Outline>(),
        make: () => outlineTemplate(template.nodes, options, parameters),
      }),
    )
  }
  return (unit) => {
    const file = unit.file.path
    // Only partials can be called with parameters.
    const isPartial = unit.file.kind === 'partial' || layoutParts.has(unit)
    const parameters = isPartial ? (unit.template?.doc?.params ?? []).map(({ name }) => name) : null
    if (unit.template !== null) outlineAt(unit, file, unit.template, parameters)
    for (const [inner, template] of unit.inner)
      outlineAt(unit, `${file}#${inner}`, template, template.block?.passed ?? null)
  }
}
