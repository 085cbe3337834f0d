/** The graph of the calls with literal names between a site's templates. */
import type { LinkedEffects } from '../../core/model/effects.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import type { SiteTemplate } from '../../core/model/site-template.ts'
import { getOrMake } from '../../core/source/maps.ts'

export interface CallGraph {
  /** Keys of the templates. Each comes after all templates that it calls; templates in a cycle are in any order. */
  readonly order: readonly string[]
  /** Index of each template in `order`. */
  readonly places: ReadonlyMap<string, number>
  /** The reverse of `order`: callers come before the templates that they call. */
  readonly callersFirst: readonly string[]
  /** Keys of the templates that call each file. */
  readonly callers: ReadonlyMap<string, readonly string[]>
  /** Names that some call passes, by the called file. */
  readonly passedNames: ReadonlyMap<string, ReadonlySet<string>>
  /** Files that run as jobs. Their arguments come from a queue. */
  readonly jobs: ReadonlySet<string>
}

/**
 * @param linkedEffects the effects of the templates. The object must stay the same until a template's calls change or a name refers to another
 * file
 */
export function callGraph(
  site: Site,
  siteTemplates: readonly SiteTemplate[],
  linkedEffects: LinkedEffects,
  memo: Memo,
): CallGraph {
  return memo.once('call graph', '', [linkedEffects.sharedEffects], () => makeGraph(site, siteTemplates))
}

function makeGraph(site: Site, siteTemplates: readonly SiteTemplate[]): CallGraph {
  const fileOf = (literal: string | null) => (literal === null ? undefined : site.partials.get(literal)?.file.path)
  const callers = new Map<string, string[]>()
  const passedNames = new Map<string, Set<string>>()
  const jobs = new Set<string>()
  for (const { key, outline } of siteTemplates) {
    for (const { kind, literal, passedNames: passed } of outline.calls) {
      const file = fileOf(literal)
      if (file === undefined) continue
      if (kind === 'background') jobs.add(file)
      const knownNames = callers.get(file)
      if (knownNames === undefined) callers.set(file, [key])
      else if (knownNames.at(-1) !== key) knownNames.push(key)
      const names = getOrMake(passedNames, file, () => new Set<string>())
      for (const name of passed) names.add(name)
    }
  }
  const order = calleesFirst(siteTemplates, fileOf)
  const places = new Map(order.map((key, at) => [key, at]))
  return { order, places, callersFirst: order.toReversed(), callers, passedNames, jobs }
}

function calleesFirst(
  siteTemplates: readonly SiteTemplate[],
  fileOf: (literal: string | null) => string | undefined,
): readonly string[] {
  const order: string[] = []
  const byKey = new Map(siteTemplates.map((siteTemplate) => [siteTemplate.key, siteTemplate]))
  const seen = new Set<SiteTemplate>()
  for (const root of siteTemplates) {
    if (seen.has(root)) continue
    seen.add(root)
    const path: { readonly siteTemplate: SiteTemplate; at: number }[] = [{ siteTemplate: root, at: 0 }]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const call = top.siteTemplate.outline.calls[top.at++]
      if (call === undefined) {
        order.push(top.siteTemplate.key)
        path.pop()
        continue
      }
      const next = byKey.get(fileOf(call.literal) ?? '')
      if (next === undefined || seen.has(next)) continue
      seen.add(next)
      path.push({ siteTemplate: next, at: 0 })
    }
  }
  return order
}
