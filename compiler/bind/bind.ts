/** The bind phase: which names live in the frame of each template of a site, what it calls and where it can end. */
import { LANGUAGE, type Language } from '../language.ts'
import type { Bound } from '../model/bound.ts'
import { type Memo, NO_MEMO } from '../model/memo.ts'
import type { Site } from '../model/site.ts'
import type { Template } from '../model/unit.ts'
import { bindTemplate } from './walk.ts'

/** By file; templates inside front matter, and blocks of `background`, by `file#path`. */
export function bind(site: Site, memo: Memo = NO_MEMO, language: Language = LANGUAGE): ReadonlyMap<string, Bound> {
  const bounds = new Map<string, Bound>()
  const filters = language.filters(site.dialect)
  const options = {
    dialect: site.dialect,
    tags: language.tags,
    suspendingFilter: (name: string) => filters.get(name)?.suspends ?? false,
  }
  const add = (key: string, template: Template, parameters: readonly string[] | null): void => {
    const inputs = [template, parameters === null]
    bounds.set(
      key,
      memo.once('bind', key, inputs, () => bindTemplate(template.nodes, options, parameters)),
    )
  }
  for (const unit of site.units) {
    const file = unit.file.path
    // Only partials are handed parameters.
    const isPartial = unit.file.kind === 'partial' || site.layoutParts.has(unit)
    const parameters = isPartial ? (unit.template?.doc?.params ?? []).map(({ name }) => name) : null
    if (unit.template !== null) add(file, unit.template, parameters)
    for (const [inner, template] of unit.inner) add(`${file}#${inner}`, template, template.passed ?? null)
  }
  return bounds
}
