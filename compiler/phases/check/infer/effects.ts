/** Closes over the call graph what one template does: suspending, ending its caller, the names it shares, its recursion. */
import { type Bound, type BoundCall, fits, type NamePattern } from '../../../core/model/bound.ts'
import type { Effects, Face, FormatClass, Linked } from '../../../core/model/effects.ts'
import { shareSet, shareWords } from '../../../core/model/shared-values.ts'
import type { Site } from '../../../core/model/site.ts'
import { type Steps, forEachInSteps } from '../../../core/model/steps.ts'
import { blocksOf, type Unit } from '../../../core/model/unit.ts'
import { formatClass } from '../../../language/settings/format.ts'
import type { SourceFile } from '../../../core/source/file.ts'

/** Where a template is entered from outside, and how its output is escaped there. */
export interface Entry {
  readonly file: string
  /** It is asked for by its name. */
  readonly open?: boolean
  readonly face: Face
  readonly format: FormatClass
}

/**
 * `bounds` by file. `entries`: pages, layouts and whatever else the host calls. A computed name can mean any partial, so
 * its kind of face is then open in all of them.
 */
export function* effectsSteps(
  site: Site,
  bounds: ReadonlyMap<string, Bound>,
  entries: readonly Entry[],
): Steps<Linked> {
  const effects = new Map<string, Mutable>()
  const of = (file: string): Mutable => {
    let known = effects.get(file)
    if (known === undefined) {
      known = {
        faces: new Set(),
        open: new Set(),
        formats: new Set(),
        suspends: bounds.get(file)?.suspends ?? false,
        awaits: new Set(),
        halts: new Set(bounds.get(file)?.halts),
        recursive: false,
        frame: new Set(),
        frameWrites: new Set(),
        spills: false,
        registers: bounds.get(file)?.registers ?? false,
        counters: new Set(bounds.get(file)?.counters),
        readsSelf: bounds.get(file)?.readsSelf ?? false,
        asksParent: bounds.get(file)?.asksParent ?? false,
        included: false,
        rendered: false,
      }
      effects.set(file, known)
    }
    return known
  }
  for (const unit of site.units) if (unit.template !== null) of(unit.file.path)

  const everyPartial = [...new Set(site.partials.values())]
  const targets = (bound: Bound, call: BoundCall): readonly Unit[] => {
    if (call.literal === null) {
      if (call.patterns === null || (call.variable !== null && mayBeSet(site, bounds, bound, call.variable)))
        return everyPartial
      return patterned(call.patterns, call.kind === 'theme')
    }
    if (call.kind === 'theme') return themeTargets(site, call.literal)
    const unit = site.partials.get(call.literal)
    return unit === undefined ? NONE : [unit]
  }
  const byPattern = new Map<string, readonly Unit[]>()
  const patterned = (patterns: readonly NamePattern[], inTheme: boolean): readonly Unit[] => {
    const key = JSON.stringify([inTheme, patterns])
    let found = byPattern.get(key)
    if (found === undefined) {
      found = [...site.partials]
        .filter(([name]) => (inTheme ? endsOf(name) : [name]).some((end) => fits(end, patterns)))
        .map(([, unit]) => unit)
      byPattern.set(key, found)
    }
    return found
  }
  const faceOf = (call: BoundCall): Face =>
    call.kind === 'function' ? 'value' : call.kind === 'include' ? 'shared' : 'render'
  const edges = new Map<string, readonly Edge[]>()
  // What runs later has nothing to do with what its caller prints, or waits for.
  const jobs = new Map<string, readonly Edge[]>()
  yield* forEachInSteps(bounds, ([file, bound]) => {
    const calls = bound.calls.filter((call) => call.kind !== 'background')
    edges.set(file, calls.length === 0 ? NONE : calls.map((call) => ({ call, units: targets(bound, call) })))
    const later = bound.calls.filter((call) => call.kind === 'background')
    if (later.length > 0)
      jobs.set(
        file,
        later.map((call) => ({ call, units: targets(bound, call) })),
      )
  })

  // Faces and formats, from the entries down.
  const work: ReachedFace[] = entries.map((entry) => ({ ...entry, open: entry.open ?? false }))
  const done = new Set<string>()
  yield* forEachInSteps(untilEmpty(work), (item) => {
    const effect = of(item.file)
    if (item.open) effect.open.add(item.face)
    const key = `${item.file}\0${item.face}\0${item.format}`
    effect.faces.add(item.face)
    effect.formats.add(item.format)
    if (done.has(key)) return
    done.add(key)
    for (const { call, units } of edges.get(item.file) ?? NONE) {
      const open = call.literal === null || call.kind === 'theme'
      const face = faceOf(call)
      for (const unit of units) {
        if (unit.template === null) continue
        const file = unit.file.path
        // What is known already leads nowhere new.
        if (done.has(`${file}\0${face}\0${item.format}`) && (!open || of(file).open.has(face))) continue
        work.push({ file, face, format: item.format, open })
      }
    }
    for (const { call, units } of jobs.get(item.file) ?? NONE) {
      for (const { template, file } of units) {
        if (template !== null)
          work.push({ file: file.path, face: 'render', format: jobFormat(file), open: call.literal === null })
      }
    }
    const unit = site.byFile.get(item.file)
    if (unit === undefined) return
    for (const block of blocksOf(unit))
      work.push({ file: `${item.file}#${block}`, face: 'render', format: jobFormat(unit.file), open: false })
  })

  // The rest goes up: from what is called to who calls, until nothing changes.
  const { order, recursive } = yield* calleesFirst(edges)
  const callers = new Map<string, Set<string>>()
  for (const [file, calls] of edges) {
    for (const { units } of calls) {
      for (const unit of units) {
        const known = callers.get(unit.file.path)
        if (known === undefined) callers.set(unit.file.path, new Set([file]))
        else known.add(file)
      }
    }
  }
  // The theme's search paths may hold Liquid of their own.
  const suspending = (call: BoundCall, units: readonly Unit[]) =>
    call.kind === 'theme' || units.some((unit) => of(unit.file.path).suspends)
  const dirty = new Set(order)
  // What a computed name includes is handed all variables as they are, so it has to know which of them are counted.
  const shareCounters = ({ counters }: Mutable, { file }: Unit): void => {
    const callee = of(file.path)
    const known = callee.counters.size
    for (const name of counters) callee.counters.add(name)
    if (callee.counters.size > known && edges.has(file.path)) dirty.add(file.path)
  }
  yield* forEachInSteps(dirty, (file) => {
    const bound = bounds.get(file)
    if (bound === undefined) return
    const effect = of(file)
    const before = size(effect)
    for (const name of bound.reads.keys()) name === '*' ? (effect.spills = true) : effect.frame.add(name)
    for (const name of bound.writes.keys()) {
      effect.frame.add(name)
      effect.frameWrites.add(name)
    }
    for (const name of bound.counters) effect.frame.add(name)
    for (const { call, units } of edges.get(file) ?? NONE) {
      if (call.literal === null && call.kind === 'include') effect.spills = true
      if (suspending(call, units)) effect.suspends = true
      for (const unit of units) {
        const callee = of(unit.file.path)
        if (call.kind === 'render') callee.rendered = true
        if (call.kind !== 'include') continue
        for (const name of callee.counters) effect.counters.add(name)
        if (call.literal === null) shareCounters(effect, unit)
        if (callee.readsSelf) effect.readsSelf = true
        else if (effect.readsSelf) {
          callee.readsSelf = true
          callee.registers = true
          if (edges.has(unit.file.path)) dirty.add(unit.file.path)
        }
        if (callee.registers) effect.registers = true
        if (callee.asksParent) effect.asksParent = true
        callee.included = true
        if (!call.inLoop) for (const halt of callee.halts) effect.halts.add(halt)
        if (callee.spills) effect.spills = true
        for (const name of callee.frame) if (!call.hidden.has(name) && !call.passed.has(name)) effect.frame.add(name)
        for (const name of callee.frameWrites) {
          // A name that the caller hides or passes stays out of its frame in the platform's dialect.
          if (
            site.dialect === 'platform' &&
            (call.hidden.has(name) || call.passed.has(name) || !call.boundBefore.has(name))
          )
            continue
          effect.frame.add(name)
          effect.frameWrites.add(name)
        }
      }
    }
    dirty.delete(file)
    if (size(effect) !== before) for (const caller of callers.get(file) ?? []) dirty.add(caller)
  })
  for (const file of recursive) of(file).recursive = true
  for (const [file, calls] of edges)
    for (const { call, units } of calls)
      if (suspending(call, units)) of(file).awaits.add(bounds.get(file)?.calls.indexOf(call) ?? -1)
  yield
  const kept = new Map<string, Effects>()
  yield* forEachInSteps(effects, ([file, effect]) => void kept.set(file, keptEffects(effect)))
  return {
    effects: kept,
    deeds: {},
    dynamic: [...bounds.values()].some((bound) => bound.calls.some((call) => call.literal === null)),
  }
}

/** Whether a partial that the template includes, or one that this includes, may set the variable for it. */
function mayBeSet(site: Site, bounds: ReadonlyMap<string, Bound>, template: Bound, variable: string): boolean {
  const seen = new Set<Bound>([template])
  for (const bound of seen) {
    if (bound !== template && bound.writes.has(variable)) return true
    for (const call of bound.calls) {
      if (call.kind !== 'include' || call.passed.has(variable) || call.hidden.has(variable)) continue
      // What a computed name includes can be any partial, or the partial again that is asked for here.
      if (call.literal === null) return [...bounds.values()].some(({ writes }) => writes.has(variable))
      const unit = site.partials.get(call.literal)
      const included = unit === undefined ? undefined : bounds.get(unit.file.path)
      if (included !== undefined) seen.add(included)
    }
  }
  return false
}

/** The name, and what follows each slash in it. */
function endsOf(name: string): readonly string[] {
  const parts = name.split('/')
  return parts.map((_, at) => parts.slice(at).join('/'))
}

/** How `{{ }}` escapes in a job, which answers no page: as the name of its file says. */
function jobFormat(file: SourceFile): FormatClass {
  return formatClass(file.format ?? 'html')
}

const NONE: readonly never[] = []

/** A template as it is called. */
interface ReachedFace {
  readonly file: string
  readonly face: Face
  readonly format: FormatClass
  readonly open: boolean
}

/** Takes out the last one, until none is left. */
function* untilEmpty<Item>(items: Item[]): Iterable<Item> {
  for (let item = items.pop(); item !== undefined; item = items.pop()) yield item
}

/** A call, and all that it can mean. */
interface Edge {
  readonly call: BoundCall
  readonly units: readonly Unit[]
}

interface Mutable {
  faces: Set<Face>
  open: Set<Face>
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

function keptEffects(effect: Mutable): Effects {
  return {
    ...effect,
    faces: shareWords(effect.faces),
    open: shareWords(effect.open),
    formats: shareWords(effect.formats),
    awaits: shareSet(effect.awaits),
    halts: shareWords(effect.halts),
    frame: shareWords(effect.frame),
    frameWrites: shareWords(effect.frameWrites),
    counters: shareWords(effect.counters),
  }
}

/** Grows with every fact that is added, so an unchanged size means nothing new. */
function size(effect: Mutable): number {
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

/** The partials that a name under the theme search paths can mean. */
export function themeTargets(site: Site, name: string): readonly Unit[] {
  const ending = `/${name}`
  const found = new Set<Unit>()
  for (const [full, unit] of site.partials) if (full === name || full.endsWith(ending)) found.add(unit)
  return [...found]
}

/** A visited file in Tarjan's algorithm. */
interface Visit {
  readonly file: string
  /** The number of callees that were followed. */
  at: number
  readonly index: number
  low: number
}

/**
 * Files behind all that they call, and those that can call themselves, over any number of others: Tarjan's strongly connected
 * components, without recursion.
 */
function* calleesFirst(
  edges: ReadonlyMap<string, readonly Edge[]>,
): Steps<{ readonly order: readonly string[]; readonly recursive: ReadonlySet<string> }> {
  const callees = new Map<string, readonly string[]>()
  for (const [file, calls] of edges)
    callees.set(
      file,
      calls.length === 0 ? NONE : [...new Set(calls.flatMap(({ units }) => units.map((unit) => unit.file.path)))],
    )
  const order: string[] = []
  const visits = new Map<string, Visit>()
  const onStack = new Set<string>()
  const stack: string[] = []
  const recursive = new Set<string>()
  const enter = (file: string): Visit => {
    const visit: Visit = { file, at: 0, index: visits.size, low: visits.size }
    visits.set(file, visit)
    stack.push(file)
    onStack.add(file)
    return visit
  }
  yield* forEachInSteps(callees.keys(), (root) => {
    if (visits.has(root)) return
    const walk = [enter(root)]
    for (let top = walk.at(-1); top !== undefined; top = walk.at(-1)) {
      const { file } = top
      const next = callees.get(file)?.[top.at++]
      if (next !== undefined) {
        const known = visits.get(next)
        if (known === undefined) walk.push(enter(next))
        else if (onStack.has(next)) top.low = Math.min(top.low, known.index)
        if (next === file) recursive.add(file)
        continue
      }
      walk.pop()
      const parent = walk.at(-1)
      if (parent !== undefined) parent.low = Math.min(parent.low, top.low)
      if (top.low !== top.index) continue
      const component: string[] = []
      for (let member = stack.pop(); member !== undefined; member = stack.pop()) {
        onStack.delete(member)
        component.push(member)
        if (member === file) break
      }
      if (component.length > 1) for (const member of component) recursive.add(member)
      for (const member of component) if (edges.has(member)) order.push(member)
    }
  })
  return { order, recursive }
}
