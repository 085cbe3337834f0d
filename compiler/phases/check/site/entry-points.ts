/** Finds how templates can run: in a request, in a job, for a notification or in a migration. */
import type { CheckedSite } from './site-rule.ts'
import type { FileKind } from '../../../core/source/file.ts'
import type { OutgoingCall, UnitFacts } from '../walk/facts.ts'
import type { SiteTemplate } from '../../../core/model/site-template.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { groupBy } from '../../../core/source/groups.ts'
import { derived } from '../../../core/model/derived.ts'
import { isBlock } from '../../../core/model/unit.ts'
import { shareList } from '../../../core/model/shared-values.ts'

/** The nodes that may run in a request, and those that definitely run elsewhere. */
type NodesByEntryPoint = Readonly<Record<EntryPoint, ReadonlySet<string>>>

/** How the host runs a template. */
type EntryPoint = 'request' | 'job' | 'notification' | 'migration'

const NOTIFICATIONS: ReadonlySet<FileKind> = new Set(['email', 'sms', 'api_call'])

/** The cached nodes, by the set of reachable files of a site. */
const nodesCache = new WeakMap<ReadonlySet<string>, NodesByEntryPoint>()

/** Returns the nodes of a site by entry point. Cached until the reachable files change, because both follow from the same calls. */
export function* nodesByEntryPoint(checked: CheckedSite): Steps<NodesByEntryPoint> {
  const { reached } = checked.reach
  const nodes = nodesCache.get(reached) ?? (yield* collectNodes(checked))
  nodesCache.set(reached, nodes)
  return nodes
}

/** Returns whether the template is an asynchronous callback of a form, which takes no arguments. */
export function isCallback({ unit, inner }: SiteTemplate): boolean {
  return unit.file.kind === 'form' && inner?.startsWith('asyncCallbackActions') === true && !isBlock(inner)
}

/** Returns the node of a template. A file and its settings share a node, because they run together. Each job has its own node. */
export function nodeOf(siteTemplate: SiteTemplate): string {
  return isBlock(siteTemplate.inner) || isCallback(siteTemplate) ? siteTemplate.key : siteTemplate.unit.file.path
}

/** The files that a template calls. */
interface CallTargets {
  /** Targets of immediate calls; null if a call may run any partial. */
  readonly now: readonly string[] | null
  /** Definite targets of immediate calls. */
  readonly surelyNow: readonly string[]
  /** Definite targets of jobs. */
  readonly surelyLater: readonly string[]
}

const callTargets = derived(({ calls }: UnitFacts): CallTargets => {
  const [later, now] = [true, false].map((each) => calls.filter(({ kind }) => (kind === 'background') === each))
  const definiteTargets = (some: readonly OutgoingCall[] = []) =>
    some.flatMap(({ open, targets }) => (open ? [] : (targets ?? [])))
  const isAny = now?.some(({ targets }) => targets === null) === true
  return {
    now: isAny ? null : shareList(now?.flatMap(({ targets }) => targets ?? []) ?? []),
    surelyNow: shareList(definiteTargets(now)),
    surelyLater: shareList(definiteTargets(later)),
  }
})

const NONE: readonly never[] = []

/**
 * Collects the nodes that may run in a request, and those that definitely run elsewhere. A call with a computed name may run any partial.
 */
function* collectNodes({ site, siteTemplates, roots, reach, factsOf }: CheckedSite): Steps<NodesByEntryPoint> {
  const partials = [...new Set([...site.partials.values()].map((unit) => unit.file.path))]
  const byNode = groupBy(siteTemplates, nodeOf)
  yield
  const findTargets = (siteTemplate: SiteTemplate, which: keyof CallTargets): readonly string[] => {
    const facts = factsOf(siteTemplate.key)
    return facts === undefined ? NONE : (callTargets(facts)[which] ?? partials)
  }

  const byEntryPoint: Readonly<Record<EntryPoint, Set<string>>> = {
    request: new Set(),
    job: new Set(),
    notification: new Set(),
    migration: new Set(),
  }
  const pageLayouts = site.computedLayouts.size > 0 ? site.layoutKeys : site.pageLayouts
  const layouts = new Set([...pageLayouts.values()].map(({ file }) => file.path))
  for (const root of roots) {
    const kind = site.byFile.get(root)?.file.kind
    // A layout that only emails use does not run in a request.
    const isNotification = kind !== undefined && (NOTIFICATIONS.has(kind) || (kind === 'layout' && !layouts.has(root)))
    byEntryPoint[kind === 'migration' ? 'migration' : isNotification ? 'notification' : 'request'].add(root)
  }
  yield* forEachInSteps(siteTemplates, (siteTemplate) => {
    if (!reach.reached.has(siteTemplate.unit.file.path)) return
    if (isCallback(siteTemplate)) byEntryPoint.job.add(siteTemplate.key)
    for (const target of findTargets(siteTemplate, 'surelyLater')) byEntryPoint.job.add(target)
  })
  for (const nodes of Object.values(byEntryPoint)) {
    const which = nodes === byEntryPoint.request ? 'now' : 'surelyNow'
    yield* forEachInSteps(nodes, (node) => {
      for (const siteTemplate of byNode.get(node) ?? NONE)
        for (const target of findTargets(siteTemplate, which)) nodes.add(target)
    })
  }
  return byEntryPoint
}
