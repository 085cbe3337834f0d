/** What runs beside the answer only, and asks there for the request of a visitor. */
import { absentInJobs } from '../diagnostics/codes/absent-in-jobs.ts'
import type { Diagnostic } from '../diagnostics/diagnostic.ts'
import type { Site } from '../model/site.ts'
import { isBlock } from '../model/unit.ts'
import type { FileKind } from '../source/file.ts'
import type { Piece, UnitFacts } from './facts.ts'

export interface JobRules {
  readonly site: Site
  readonly pieces: readonly Piece[]
  /** Files that the host enters. */
  readonly roots: ReadonlySet<string>
  readonly reach: { readonly reached: ReadonlySet<string> }
  readonly factsOf: (piece: Piece) => UnitFacts | null
}

const NOTIFICATIONS: ReadonlySet<FileKind> = new Set(['email', 'sms', 'api_call'])

/** A file that answers requests too is left alone: there its values are. */
export function checkAbsent({ site, pieces, roots, reach, factsOf }: JobRules): readonly Diagnostic[] {
  if (site.dialect !== 'platform' || site.openEntries) return []
  const asked = inRequests(site, pieces, roots, factsOf)
  if (asked === null) return []
  const found: Diagnostic[] = []
  for (const piece of pieces) {
    const { path, kind } = piece.unit.file
    const facts = factsOf(piece)
    if (facts === null || !reach.reached.has(path) || (isAnswering(piece) && asked.has(path))) continue
    const sent = NOTIFICATIONS.has(kind) || kind === 'layout'
    const where = sent && !isBlock(piece.inner) ? 'notification' : kind === 'migration' ? 'migration' : 'job'
    for (const [name, span] of facts.requestReads) found.push(absentInJobs(span, `context.${name}`, where))
    const session = facts.ports.get('sessions')
    if (session !== undefined) found.push(absentInJobs(session, '', where))
  }
  return found
}

/** Whether the piece itself can run for a visitor. */
function isAnswering({ unit, inner }: Piece): boolean {
  const { kind } = unit.file
  if (NOTIFICATIONS.has(kind) || kind === 'migration') return false
  return !isBlock(inner) && !(kind === 'form' && inner?.startsWith('asyncCallbackActions') === true)
}

/** Files that run in requests; null where a computed name may mean any partial. */
function inRequests(
  site: Site,
  pieces: readonly Piece[],
  roots: ReadonlySet<string>,
  factsOf: JobRules['factsOf'],
): ReadonlySet<string> | null {
  const byFile = new Map<string, Piece[]>()
  for (const piece of pieces) {
    if (!isAnswering(piece)) continue
    const { path } = piece.unit.file
    byFile.set(path, [...(byFile.get(path) ?? []), piece])
  }
  const layouts = new Set([...site.pageLayouts.values()].map(({ file }) => file.path))
  const asked = new Set<string>()
  for (const root of roots) {
    // A layout that only mails have is none of a page.
    if (site.byFile.get(root)?.file.kind !== 'layout' || layouts.has(root)) asked.add(root)
  }
  for (const file of asked) {
    for (const piece of byFile.get(file) ?? []) {
      for (const { kind, targets } of factsOf(piece)?.calls ?? []) {
        if (kind === 'background') continue
        if (targets === null) return null
        for (const target of targets) asked.add(target)
      }
    }
  }
  return asked
}
