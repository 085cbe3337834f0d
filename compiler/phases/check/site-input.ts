/** Builds the inputs of the rules about a site as a whole. */
import type { NameRules } from './names/names.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import type { CheckInput, Fixpoint } from './fixpoint.ts'
import type { Reach } from './rules/reach.ts'
import type { SiteRules } from './rules/site-rules.ts'

export function siteRules(input: CheckInput, rounds: Fixpoint, reach: Reach): SiteRules {
  const { lacksModule } = rounds
  const factsOf = ({ key }: SiteTemplate) => rounds.factsOf(key) ?? null
  return { ...input, tags: input.language.tags, reach, lacksModule, factsOf }
}

export function nameRules(input: CheckInput, rounds: Fixpoint, { reached }: Reach): NameRules {
  return { ...input, lacksModule: rounds.lacksModule, reachedFiles: reached, factsOf: (key) => rounds.factsOf(key) }
}
