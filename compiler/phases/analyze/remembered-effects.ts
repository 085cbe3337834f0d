/** Caches the effects of a site while it is edited. They stay valid after an edit that changes no read, write or call of a template. */
import type { Outline } from '../../core/model/outline.ts'
import type { LinkedEffects } from '../../core/model/effects.ts'
import { type Memo, NO_MEMO } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../core/model/steps.ts'
import { effectsSteps, type Entry } from './effects.ts'

/** Returns the effects of a site. They are cached while the reads, writes and calls of all templates stay the same. */
export function* rememberedEffects(
  site: Site,
  outlines: ReadonlyMap<string, Outline>,
  entries: readonly Entry[],
  memo: Memo,
): Steps<LinkedEffects> {
  if (memo === NO_MEMO) return yield* effectsSteps(site, outlines, entries)
  const effectInputs: string[] = []
  yield* forEachInSteps(outlines, ([file, outline]) => {
    effectInputs.push(memo.once('doings', file, [outline], () => effectInputsOf(outline)))
  })
  const names = [...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')
  const entryKeys = entries
    .map(({ file, entryPoint, format, open }) => `${file}\0${entryPoint}\0${format}\0${open}`)
    .join('\n')
  const inputs = [site.dialect, names, entryKeys, [...outlines.keys()].join('\n'), ...effectInputs]
  // The cached value stays null if the computation was aborted.
  const cache = memo.once('effects', '', inputs, (): { linked: LinkedEffects | null } => ({ linked: null }))
  cache.linked ??= yield* effectsSteps(site, outlines, entries)
  return cache.linked
}

function joinWords(names: Iterable<string>): string {
  return [...names].join(' ')
}

/** Returns everything that effects depend on in one template, as a text. */
function effectInputsOf(outline: Outline): string {
  return [joinWords(outline.reads.keys()), joinWords(outline.writes.keys()), deedsOf(outline)].join('\n')
}

/** Returns the same text without the names that the template reads and writes. */
function deedsOf(outline: Outline): string {
  const calls = outline.calls.map(({ kind, literal, patterns, variable, passedNames, hidden, inLoop, boundBefore }) =>
    [
      kind,
      literal,
      JSON.stringify(patterns),
      variable,
      joinWords(passedNames),
      joinWords(hidden),
      inLoop,
      joinWords(boundBefore),
    ].join('|'),
  )
  const names = [outline.counters, outline.halts].map(joinWords)
  return [...names, outline.registers, outline.readsSelf, outline.asksParent, outline.suspends, ...calls].join('\n')
}
