/** Computes the effects of templates over the call graph: suspension, interrupts of the caller, shared names and recursion. */
import { type Outline, type OutlineCall, fits, type TextPattern } from '../../core/model/outline.ts'
import type { Effects, EntryPoint, FormatClass, LinkedEffects } from '../../core/model/effects.ts'
import { shareSet, shareWords } from '../../core/model/shared-values.ts'
import type { Site } from '../../core/model/site.ts'
import { blocksOf, type Unit } from '../../core/model/unit.ts'
import { formatClass } from '../../language/settings/format.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { getOrMake } from '../../core/source/maps.ts'
import { stronglyConnectedComponents } from '../../core/source/graph.ts'

/** A file that the host enters from outside, and how its output is escaped. */
export interface Entry {
  readonly file: string
  /** Whether the entry can be requested by name. */
  readonly open?: boolean
  readonly entryPoint: EntryPoint
  readonly format: FormatClass
}

/**
 * Computes the effects of a site's templates. `bounds` is by file. `entries` are pages, layouts and all other files that the host calls. A
 * computed name can refer to any partial, so the entry point of such a call is open in all partials.
 */
export function siteEffects(
  site: Site,
  outlines: ReadonlyMap<string, Outline>,
  entries: readonly Entry[],
): LinkedEffects {
  const effects = new Map<string, MutableEffects>()
  const effectsOf = (file: string): MutableEffects =>
    getOrMake(effects, file, () => ({
      entryPoints: new Set(),
      open: new Set(),
      formats: new Set(),
      suspends: outlines.get(file)?.suspends ?? false,
      awaits: new Set(),
      halts: new Set(outlines.get(file)?.halts),
      recursive: false,
      frame: new Set(),
      frameWrites: new Set(),
      spills: false,
      registers: outlines.get(file)?.registers ?? false,
      counters: new Set(outlines.get(file)?.counters),
      readsSelf: outlines.get(file)?.readsSelf ?? false,
      asksParent: outlines.get(file)?.asksParent ?? false,
      included: false,
      rendered: false,
    }))
  for (const unit of site.units) if (unit.template !== null) effectsOf(unit.file.path)

  const everyPartial = [...new Set(site.partials.values())]
  const targetsOf = (outline: Outline, call: OutlineCall): readonly Unit[] => {
    if (call.literal === null) {
      if (call.patterns === null || (call.variable !== null && mayBeSet(site, outlines, outline, call.variable)))
        return everyPartial
      return partialsMatching(call.patterns, call.kind === 'theme')
    }
    if (call.kind === 'theme') return themeTargets(site, call.literal)
    const unit = site.partials.get(call.literal)
    return unit === undefined ? NONE : [unit]
  }
  const byPattern = new Map<string, readonly Unit[]>()
  const partialsMatching = (patterns: readonly TextPattern[], inTheme: boolean): readonly Unit[] =>
    getOrMake(byPattern, JSON.stringify([inTheme, patterns]), () =>
      [...site.partials]
        .filter(([name]) => (inTheme ? endsOf(name) : [name]).some((end) => fits(end, patterns)))
        .map(([, unit]) => unit),
    )
  const entryPointOf = (call: OutlineCall): EntryPoint =>
    call.kind === 'function' ? 'value' : call.kind === 'include' ? 'shared' : 'render'
  const edges = new Map<string, readonly Edge[]>()
  // A job runs later: it affects neither the output of its caller nor what the caller awaits.
  const jobs = new Map<string, readonly Edge[]>()
  for (const [file, outline] of outlines) {
    const calls = outline.calls.filter((call) => call.kind !== 'background')
    edges.set(file, calls.length === 0 ? NONE : calls.map((call) => ({ call, units: targetsOf(outline, call) })))
    const jobCalls = outline.calls.filter((call) => call.kind === 'background')
    if (jobCalls.length > 0)
      jobs.set(
        file,
        jobCalls.map((call) => ({ call, units: targetsOf(outline, call) })),
      )
  }

  // EntryPoints and formats propagate from the entries to the callees.
  const queue: CalledEntryPoint[] = entries.map((entry) => ({ ...entry, open: entry.open ?? false }))
  const visitedKeys = new Set<string>()
  for (const item of popAll(queue)) {
    const effect = effectsOf(item.file)
    if (item.open) effect.open.add(item.entryPoint)
    const key = `${item.file}\0${item.entryPoint}\0${item.format}`
    effect.entryPoints.add(item.entryPoint)
    effect.formats.add(item.format)
    if (visitedKeys.has(key)) continue
    visitedKeys.add(key)
    for (const { call, units } of edges.get(item.file) ?? NONE) {
      const open = call.literal === null || call.kind === 'theme'
      const entryPoint = entryPointOf(call)
      for (const unit of units) {
        if (unit.template === null) continue
        const file = unit.file.path
        // An entry point that was already visited adds nothing new.
        if (
          visitedKeys.has(`${file}\0${entryPoint}\0${item.format}`) &&
          (!open || effectsOf(file).open.has(entryPoint))
        )
          continue
        queue.push({ file, entryPoint, format: item.format, open })
      }
    }
    for (const { call, units } of jobs.get(item.file) ?? NONE) {
      for (const { template, file } of units) {
        if (template !== null)
          queue.push({ file: file.path, entryPoint: 'render', format: jobFormat(file), open: call.literal === null })
      }
    }
    const unit = site.byFile.get(item.file)
    if (unit === undefined) continue
    for (const block of blocksOf(unit))
      queue.push({ file: `${item.file}#${block}`, entryPoint: 'render', format: jobFormat(unit.file), open: false })
  }

  // All other effects propagate from callees to callers until nothing changes.
  const { order, recursive } = calleesFirst(edges)
  const callers = new Map<string, Set<string>>()
  for (const [file, calls] of edges) {
    for (const { units } of calls) {
      for (const unit of units) getOrMake(callers, unit.file.path, () => new Set<string>()).add(file)
    }
  }
  // The theme's search paths may contain Liquid.
  const maySuspend = (call: OutlineCall, units: readonly Unit[]) =>
    call.kind === 'theme' || units.some((unit) => effectsOf(unit.file.path).suspends)
  const dirtyFiles = new Set(order)
  // An include with a computed name shares all variables, so that the included file needs the caller's counters.
  const shareCounters = ({ counters }: MutableEffects, { file }: Unit): void => {
    const callee = effectsOf(file.path)
    const known = callee.counters.size
    for (const name of counters) callee.counters.add(name)
    if (callee.counters.size > known && edges.has(file.path)) dirtyFiles.add(file.path)
  }
  for (const file of dirtyFiles) {
    const outline = outlines.get(file)
    if (outline === undefined) continue
    const effect = effectsOf(file)
    const before = factCount(effect)
    for (const name of outline.reads.keys()) name === '*' ? (effect.spills = true) : effect.frame.add(name)
    for (const name of outline.writes.keys()) {
      effect.frame.add(name)
      effect.frameWrites.add(name)
    }
    for (const name of outline.counters) effect.frame.add(name)
    for (const { call, units } of edges.get(file) ?? NONE) {
      if (call.literal === null && call.kind === 'include') effect.spills = true
      if (maySuspend(call, units)) effect.suspends = true
      for (const unit of units) {
        const callee = effectsOf(unit.file.path)
        if (call.kind === 'render') callee.rendered = true
        if (call.kind !== 'include') continue
        for (const name of callee.counters) effect.counters.add(name)
        if (call.literal === null) shareCounters(effect, unit)
        if (callee.readsSelf) effect.readsSelf = true
        else if (effect.readsSelf) {
          callee.readsSelf = true
          callee.registers = true
          if (edges.has(unit.file.path)) dirtyFiles.add(unit.file.path)
        }
        if (callee.registers) effect.registers = true
        if (callee.asksParent) effect.asksParent = true
        callee.included = true
        if (!call.inLoop) for (const halt of callee.halts) effect.halts.add(halt)
        if (callee.spills) effect.spills = true
        for (const name of callee.frame)
          if (!call.hidden.has(name) && !call.passedNames.has(name)) effect.frame.add(name)
        for (const name of callee.frameWrites) {
          // In the platform's dialect, a name that the caller hides, passes or has not bound before stays out of its frame.
          if (
            site.dialect === 'platform' &&
            (call.hidden.has(name) || call.passedNames.has(name) || !call.boundBefore.has(name))
          )
            continue
          effect.frame.add(name)
          effect.frameWrites.add(name)
        }
      }
    }
    dirtyFiles.delete(file)
    if (factCount(effect) !== before) for (const caller of callers.get(file) ?? []) dirtyFiles.add(caller)
  }
  for (const file of recursive) effectsOf(file).recursive = true
  for (const [file, calls] of edges)
    for (const { call, units } of calls)
      if (maySuspend(call, units)) effectsOf(file).awaits.add(outlines.get(file)?.calls.indexOf(call) ?? -1)
  const sharedEffects = new Map<string, Effects>()
  for (const [file, effect] of effects) sharedEffects.set(file, shareEffects(effect))
  return {
    effects: sharedEffects,
    sharedEffects: {},
    dynamic: [...outlines.values()].some((outline) => outline.calls.some((call) => call.literal === null)),
  }
}

/** Returns whether a partial that the template includes, directly or not, may set the variable. */
function mayBeSet(site: Site, outlines: ReadonlyMap<string, Outline>, template: Outline, variable: string): boolean {
  const seen = new Set<Outline>([template])
  for (const outline of seen) {
    if (outline !== template && outline.writes.has(variable)) return true
    for (const call of outline.calls) {
      if (call.kind !== 'include' || call.passedNames.has(variable) || call.hidden.has(variable)) continue
      // A computed name can include any partial.
      if (call.literal === null) return [...outlines.values()].some(({ writes }) => writes.has(variable))
      const unit = site.partials.get(call.literal)
      const included = unit === undefined ? undefined : outlines.get(unit.file.path)
      if (included !== undefined) seen.add(included)
    }
  }
  return false
}

/** Returns the name and every part of it that follows a slash. */
function endsOf(name: string): readonly string[] {
  const parts = name.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** Returns how `{{ }}` escapes in a job. A job is not part of a page: the name of its file decides. */
function jobFormat(file: SourceFile): FormatClass {
  return formatClass(file.format ?? 'html')
}

const NONE: readonly never[] = []

/** A template with the entry point and the format of a call. */
interface CalledEntryPoint {
  readonly file: string
  readonly entryPoint: EntryPoint
  readonly format: FormatClass
  readonly open: boolean
}

/** Removes and yields the last item until the array is empty. */
function* popAll<Item>(items: Item[]): Iterable<Item> {
  for (let item = items.pop(); item !== undefined; item = items.pop()) yield item
}

/** A call, and all units that it may run. */
interface Edge {
  readonly call: OutlineCall
  readonly units: readonly Unit[]
}

interface MutableEffects {
  entryPoints: Set<EntryPoint>
  open: Set<EntryPoint>
  formats: Set<FormatClass>
  suspends: boolean
  awaits: Set<number>
  halts: Set<'break' | 'continue'>
  recursive: boolean
  frame: Set<string>
  frameWrites: Set<string>
  spills: boolean
  registers: boolean
  counters: Set<string>
  readsSelf: boolean
  asksParent: boolean
  included: boolean
  rendered: boolean
}

function shareEffects(effect: MutableEffects): Effects {
  return {
    ...effect,
    entryPoints: shareWords(effect.entryPoints),
    open: shareWords(effect.open),
    formats: shareWords(effect.formats),
    awaits: shareSet(effect.awaits),
    halts: shareWords(effect.halts),
    frame: shareWords(effect.frame),
    frameWrites: shareWords(effect.frameWrites),
    counters: shareWords(effect.counters),
  }
}

/** Counts the facts. Facts are only added, so an unchanged count means that nothing was added. */
function factCount(effect: MutableEffects): number {
  return (
    effect.frame.size +
    effect.frameWrites.size +
    effect.halts.size +
    effect.counters.size +
    (effect.suspends ? 1 : 0) +
    (effect.spills ? 1 : 0) +
    (effect.registers ? 1 : 0) +
    (effect.asksParent ? 1 : 0) +
    (effect.readsSelf ? 1 : 0)
  )
}

/** Returns the partials that a name under the theme search paths can refer to. */
export function themeTargets(site: Pick<Site, 'partials'>, name: string): readonly Unit[] {
  const ending = `/${name}`
  const found = new Set<Unit>()
  for (const full of site.partials.keys()) {
    const unit = full === name || full.endsWith(ending) ? site.partials.get(full) : undefined
    if (unit !== undefined) found.add(unit)
  }
  return [...found]
}

/** Returns the files, each after all files that it calls. Also returns the files that can call themselves, directly or not. */
function calleesFirst(edges: ReadonlyMap<string, readonly Edge[]>): {
  readonly order: readonly string[]
  readonly recursive: ReadonlySet<string>
} {
  const callees = new Map<string, ReadonlySet<string>>()
  for (const [file, calls] of edges)
    callees.set(file, new Set(calls.flatMap(({ units }) => units.map((unit) => unit.file.path))))
  const components = stronglyConnectedComponents(callees.keys(), (file) => callees.get(file) ?? [])
  const order = components.flat().filter((file) => edges.has(file))
  const recursive = components.filter(([first = '', ...others]) => others.length > 0 || callees.get(first)?.has(first))
  return { order, recursive: new Set(recursive.flat()) }
}
