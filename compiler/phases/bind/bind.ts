/** The bind phase: finds the variables of each template, what it calls, and where it can end. */
import { LANGUAGE, type Language } from '../../language/language.ts'
import type { BindResult } from '../../core/model/bound.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { runSteps, type Steps } from '../../core/model/steps.ts'
import type { Template, Unit } from '../../core/model/unit.ts'
import { bindTemplate } from './binder.ts'

/** Returns the bound templates by file. Templates in front matter and `background` blocks are keyed by `file#path`. */
export function bind(site: Site, memo: Memo = NO_MEMO, language: Language = LANGUAGE): ReadonlyMap<string, BindResult> {
  return runSteps(bindSteps(site, memo, language))
}

/** Like `bind`, with a step for each file. */
export function* bindSteps(site: Site, memo: Memo, language: Language): Steps<ReadonlyMap<string, BindResult>> {
  const bindResults = new Map<string, BindResult>()
  const bindOne = createUnitBinder(site, memo, language, bindResults)
  for (const unit of site.units) {
    bindOne(unit)
    yield
  }
  return bindResults
}

/** Binds the templates of one file. */
export function bindUnit(site: BoundSite, unit: Unit, memo: Memo, language: Language): ReadonlyMap<string, BindResult> {
  const bindResults = new Map<string, BindResult>()
  createUnitBinder(site, memo, language, bindResults)(unit)
  return bindResults
}

/** The data of a site that binding depends on, in addition to the templates. */
type BoundSite = Pick<Site, 'dialect' | 'layoutParts'>

function createUnitBinder(
  { dialect, layoutParts }: BoundSite,
  memo: Memo,
  language: Language,
  bindResults: Map<string, BindResult>,
): (unit: Unit) => void {
  const filters = language.filters(dialect)
  const options = {
    dialect,
    tags: language.tags,
    suspendingFilter: (name: string) => filters.get(name)?.suspends ?? false,
  }
  const bindAt = (key: string, template: Template, parameters: readonly string[] | null): void => {
    const inputs = [template, parameters === null]
    bindResults.set(
      key,
      memo.once('bind', key, inputs, () => bindTemplate(template.nodes, options, parameters)),
    )
  }
  return (unit) => {
    const file = unit.file.path
    // Only partials can be called with parameters.
    const isPartial = unit.file.kind === 'partial' || layoutParts.has(unit)
    const parameters = isPartial ? (unit.template?.doc?.params ?? []).map(({ name }) => name) : null
    if (unit.template !== null) bindAt(file, unit.template, parameters)
    for (const [inner, template] of unit.inner) bindAt(`${file}#${inner}`, template, template.passed ?? null)
  }
}
