/** Caches the effects of a site while it is edited. They stay valid after an edit that changes no read, write or call of a template. */
import type { Bound } from '../../../core/model/bound.ts'
import type { Effects, Linked } from '../../../core/model/effects.ts'
import { shareWords } from '../../../core/model/shared-values.ts'
import { type Memo, NO_MEMO } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

/** Returns the effects of a site. They are cached while the reads, writes and calls of all templates stay the same. */
export function* rememberedEffects(
  site: Site,
  bounds: ReadonlyMap<string, Bound>,
  entries: readonly Entry[],
  memo: Memo,
): Steps<Linked> {
  if (memo === NO_MEMO) return yield* effectsSteps(site, bounds, entries)
  const effectInputs: string[] = []
  yield* forEachInSteps(bounds, ([file, bound]) => {
    effectInputs.push(memo.once('doings', file, [bound], () => effectInputsOf(bound)))
  })
  const names = [...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')
  const entryKeys = entries.map(({ file, face, format, open }) => `${file}\0${face}\0${format}\0${open}`).join('\n')
  const inputs = [site.dialect, names, entryKeys, [...bounds.keys()].join('\n'), ...effectInputs]
  // The cached value stays null if the computation was aborted.
  const cache = memo.once('effects', '', inputs, (): { linked: Linked | null } => ({ linked: null }))
  cache.linked ??= yield* effectsSteps(site, bounds, entries)
  return cache.linked
}

/** A template before and after an edit. */
export interface EditedBound {
  readonly key: string
  readonly before: Bound
  readonly after: Bound
}

/** Returns the effects after edits; null if the effects of other templates may have changed too. */
export function effectsAfter(linked: Linked, edits: readonly EditedBound[]): Linked | null {
  const effects = new Map<string, Effects>()
  for (const { key, before, after } of edits) {
    if (before === after || effectInputsOf(before) === effectInputsOf(after)) continue
    const known = linked.effects.get(key)
    const isAlone = known !== undefined && !known.included && !after.calls.some(({ kind }) => kind === 'include')
    if (!isAlone || deedsOf(before) !== deedsOf(after)) return null
    // The files that a computed name can refer to depend on which templates set its variable.
    if (linked.dynamic && joinWords(before.writes.keys()) !== joinWords(after.writes.keys())) return null
    effects.set(key, { ...known, ...frameOf(after) })
  }
  return effects.size === 0 ? linked : { ...linked, effects: new Map([...linked.effects, ...effects]) }
}

/** Returns the frame effects of a template that includes nothing. */
function frameOf({ reads, writes, counters }: Bound): Pick<Effects, 'frame' | 'frameWrites' | 'spills'> {
  const own = [...reads.keys()].filter((name) => name !== '*')
  return {
    frame: shareWords(new Set([...own, ...writes.keys(), ...counters])),
    frameWrites: shareWords(new Set(writes.keys())),
    spills: reads.has('*'),
  }
}

function joinWords(names: Iterable<string>): string {
  return [...names].join(' ')
}

/** Returns everything that effects depend on in one template, as a text. */
function effectInputsOf(bound: Bound): string {
  return [joinWords(bound.reads.keys()), joinWords(bound.writes.keys()), deedsOf(bound)].join('\n')
}

/** Returns the same text without the names that the template reads and writes. */
function deedsOf(bound: Bound): string {
  const calls = bound.calls.map(({ kind, literal, patterns, variable, passed, hidden, inLoop, boundBefore }) =>
    [
      kind,
      literal,
      JSON.stringify(patterns),
      variable,
      joinWords(passed),
      joinWords(hidden),
      inLoop,
      joinWords(boundBefore),
    ].join('|'),
  )
  const names = [bound.counters, bound.halts].map(joinWords)
  return [...names, bound.registers, bound.readsSelf, bound.asksParent, bound.suspends, ...calls].join('\n')
}
