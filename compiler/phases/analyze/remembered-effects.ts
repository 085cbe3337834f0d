/** Caches the effects of a site while it is edited. They stay valid after an edit that changes no read, write or call of a template. */
import type { Outline } from '../../core/model/outline.ts'
import type { Effects, LinkedEffects } from '../../core/model/effects.ts'
import { shareWords } from '../../core/model/shared-values.ts'
import type { Memo } from '../../core/model/memo.ts'
import type { Site } from '../../core/model/site.ts'
import { siteEffects, type Entry } from './effects.ts'

/** Effects, with the names that each template reads and writes. */
interface KeptEffects {
  linked: LinkedEffects
  names: ReadonlyMap<string, Names>
}

/** The names that a template reads and those that it writes, as texts. */
interface Names {
  readonly reads: string
  readonly writes: string
}

/** Returns the effects of a site. They are cached while the calls of all templates stay the same. */
export function rememberedEffects(
  site: Site,
  outlines: ReadonlyMap<string, Outline>,
  entries: readonly Entry[],
  memo: Memo,
): LinkedEffects {
  const calls: string[] = []
  const names = new Map<string, Names>()
  for (const [key, outline] of outlines) {
    const inputs = memo.once('effect inputs', key, [outline], () => ({
      calls: callsOf(outline),
      names: namesOf(outline),
    }))
    calls.push(inputs.calls)
    names.set(key, inputs.names)
  }
  const partials = [...site.partials].map(([name, unit]) => `${name}\0${unit.file.path}`).join('\n')
  const entryKeys = entries
    .map(({ file, entryPoint, format, open }) => `${file}\0${entryPoint}\0${format}\0${open}`)
    .join('\n')
  const inputs = [site.dialect, partials, entryKeys, [...outlines.keys()].join('\n'), ...calls]
  const make = (): LinkedEffects => siteEffects(site, outlines, entries)
  const kept = memo.once('effects', '', inputs, (): KeptEffects => ({ linked: make(), names }))
  if (kept.names !== names) kept.linked = withNames(kept.linked, kept.names, names, outlines) ?? make()
  kept.names = names
  return kept.linked
}

/** Returns the effects with other names in some templates; null if the effects of other templates may have changed too. */
function withNames(
  linked: LinkedEffects,
  before: KeptEffects['names'],
  names: KeptEffects['names'],
  outlines: ReadonlyMap<string, Outline>,
): LinkedEffects | null {
  const changed = new Map<string, Effects>()
  for (const [key, { reads: readNames, writes: writtenNames }] of names) {
    const old = before.get(key)
    if (old?.reads === readNames && old.writes === writtenNames) continue
    const [known, outline] = [linked.effects.get(key), outlines.get(key)]
    const isAlone = known?.included === false && outline?.calls.some(({ kind }) => kind === 'include') === false
    // The files that a computed name can refer to depend on which templates set its variable.
    if (!isAlone || (linked.dynamic && old?.writes !== writtenNames)) return null
    const { reads, writes, counters } = outline
    changed.set(key, {
      ...known,
      frame: shareWords(new Set([...[...reads.keys()].filter((name) => name !== '*'), ...writes.keys(), ...counters])),
      frameWrites: shareWords(new Set(writes.keys())),
      spills: reads.has('*'),
    })
  }
  return changed.size === 0 ? linked : { ...linked, effects: new Map([...linked.effects, ...changed]) }
}

function joinWords(names: Iterable<string>): string {
  return [...names].join(' ')
}

function namesOf({ reads, writes }: Outline): Names {
  return { reads: joinWords(reads.keys()), writes: joinWords(writes.keys()) }
}

/** Returns everything else that effects depend on in one template, as a text. */
function callsOf(outline: Outline): string {
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
