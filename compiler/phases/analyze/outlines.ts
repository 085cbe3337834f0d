/** The outlines of all templates of a site. */
import { LANGUAGE, type Language, languageStamp } from '../../language/language.ts'
import type { Outline } from '../../core/model/outline.ts'
import { plain } from '../../core/model/codec.ts'
import { type Memo, Memory, NO_SOURCES } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { unitStamp } from '../../core/model/stamps.ts'
import { outlineTemplate } from './outline.ts'

/** Returns the outlines by file. Templates in front matter and `background` blocks are keyed by `file#path`. */
export function outlineSite(
  site: Site,
  memo: Memo = new Memory(1),
  language: Language = LANGUAGE,
): ReadonlyMap<string, Outline> {
  return runSteps(outlineSteps(site, memo, language))
}

/** Like `outlineSite`, with a step for each file. */
export function* outlineSteps(
  { units, dialect, config, layoutParts }: Site,
  memo: Memo,
  language: Language,
): Steps<ReadonlyMap<string, Outline>> {
  const filters = language.filters(dialect)
  const options = {
    dialect,
    tags: language.tags,
    suspendingFilter: (name: string) => filters.get(name)?.suspends ?? false,
  }
  const outlines = new Map<string, Outline>()
  const outlineAt = (unit: Unit, key: string, template: Template, parameters: readonly string[] | null): void => {
    const outline = memo.query({
      name: 'outline',
      key,
      inputs: () => [unitStamp(unit, config), dialect, languageStamp(language), parameters === null],
      sources: NO_SOURCES,
      codec: plain<Outline>,
      make: () => outlineTemplate(template.nodes, options, parameters),
    })
    outlines.set(key, outline)
  }
  for (const unit of units) {
    const file = unit.file.path
    // Only partials can be called with parameters.
    const isPartial = unit.file.kind === 'partial' || layoutParts.has(unit)
    const parameters = isPartial ? (unit.template?.doc?.params ?? []).map(({ name }) => name) : null
    if (unit.template !== null) outlineAt(unit, file, unit.template, parameters)
    for (const [inner, template] of unit.inner)
      outlineAt(unit, `${file}#${inner}`, template, template.block?.passed ?? null)
    yield
  }
  return outlines
}
