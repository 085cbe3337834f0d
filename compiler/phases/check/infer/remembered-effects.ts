/** Effects of a site that is edited: found again only where a template does something else than before. */
import type { Bound } from '../../../core/model/bound.ts'
import type { Effects, Linked } from '../../../core/model/effects.ts'
import { shareWords } from '../../../core/model/shared-values.ts'
import { type Memo, NO_MEMO } from '../../../core/model/memo.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

/** `effectsSteps`, remembered for as long as no template does anything else than before. */
export function* rememberedEffects(
  site: Site,
  bounds: ReadonlyMap<string, Bound>,
  entries: readonly Entry[],
  memo: Memo,
): Steps<Linked> {
  if (memo === NO_MEMO) return yield* effectsSteps(site, bounds, entries)
  const doings: string[] = []
  yield* forEachInSteps(bounds, ([file, bound]) => {
    doings.push(memo.once('doings', file, [bound], () => doingsOf(bound)))
  })
  const names = [...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')
  const doors = entries.map(({ file, face, format, open }) => `${file}\0${face}\0${format}\0${open}`).join('\n')
  const inputs = [site.dialect, names, doors, [...bounds.keys()].join('\n'), ...doings]
  // Who leaves off in between has found nothing.
  const found = memo.once('effects', '', inputs, (): { linked: Linked | null } => ({ linked: null }))
  found.linked ??= yield* effectsSteps(site, bounds, entries)
  return found.linked
}

/** A template before and after an edit. */
export interface EditedBound {
  readonly key: string
  readonly before: Bound
  readonly after: Bound
}

/** Effects after edits of templates; null where others than the edited ones do something else, or may. */
export function effectsAfter(linked: Linked, edits: readonly EditedBound[]): Linked | null {
  const effects = new Map<string, Effects>()
  for (const { key, before, after } of edits) {
    if (before === after || doingsOf(before) === doingsOf(after)) continue
    const known = linked.effects.get(key)
    const isAlone = known !== undefined && !known.included && !after.calls.some(({ kind }) => kind === 'include')
    if (!isAlone || deedsOf(before) !== deedsOf(after)) return null
    // What a computed name can be depends on who sets the variable.
    if (linked.dynamic && words(before.writes.keys()) !== words(after.writes.keys())) return null
    effects.set(key, { ...known, ...frameOf(after) })
  }
  return effects.size === 0 ? linked : { ...linked, effects: new Map([...linked.effects, ...effects]) }
}

/** The frame of a template that includes nothing. */
function frameOf({ reads, writes, counters }: Bound): Pick<Effects, 'frame' | 'frameWrites' | 'spills'> {
  const own = [...reads.keys()].filter((name) => name !== '*')
  return {
    frame: shareWords(new Set([...own, ...writes.keys(), ...counters])),
    frameWrites: shareWords(new Set(writes.keys())),
    spills: reads.has('*'),
  }
}

function words(names: Iterable<string>): string {
  return [...names].join(' ')
}

/** All that effects depend on of one template, as one text. */
function doingsOf(bound: Bound): string {
  return [words(bound.reads.keys()), words(bound.writes.keys()), deedsOf(bound)].join('\n')
}

/** The same without the names that it reads and writes. */
function deedsOf(bound: Bound): string {
  const calls = bound.calls.map(({ kind, literal, patterns, variable, passed, hidden, inLoop, boundBefore }) =>
    [kind, literal, JSON.stringify(patterns), variable, words(passed), words(hidden), inLoop, words(boundBefore)].join(
      '|',
    ),
  )
  const names = [bound.counters, bound.halts].map(words)
  return [...names, bound.registers, bound.readsSelf, bound.asksParent, bound.suspends, ...calls].join('\n')
}
