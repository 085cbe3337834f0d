/** The walk that binds names: which live in a template's frame, what it calls and where it can end. Knows no types. */
import type { Expression, FilterCall, Node, TagNode } from '../model/ast.ts'
import { baseName, type Bound, type BoundCall, type BoundQuery, type NamePattern } from '../model/bound.ts'
import type { Dialect } from '../model/dialect.ts'
import { inlineDocument } from '../model/operation.ts'
import { type Type, UNKNOWN } from '../model/type.ts'
import type { Span } from '../source/span.ts'
import type { CheckKit, Tag } from '../tags/tag.ts'
import { isSureName, namePattern } from './name-pattern.ts'

/** Ports whose use makes a template suspend; the others answer at once. */
const SUSPENDING = new Set(['graphql', 'jobs', 'cache', 'transactions', 'sessions', 'forms'])

export interface BindOptions {
  readonly dialect: Dialect
  readonly tags: ReadonlyMap<string, Tag>
  /** Whether a filter suspends, by name. */
  readonly suspendingFilter: (name: string) => boolean
}

/**
 * `parameters`: the names that the template documents as its parameters, or null for one that nobody passes any. A parameter is
 * bound before everything else, and so is a name that is read before it is set.
 */
export function bindTemplate(
  nodes: readonly Node[],
  options: BindOptions,
  parameters: readonly string[] | null = null,
): Bound {
  const reads = new Map<string, Span>()
  const writes = new Map<string, number>()
  const bound = new Set<string>(parameters)
  const patterns = new Map<string, (NamePattern | null)[]>()
  /** Names that the template has set on every way to the place that is walked. */
  let settled = new Set<string>()
  const counters = new Set<string>()
  const calls: BoundCall[] = []
  const queries: BoundQuery[] = []
  const halts = new Set<'break' | 'continue'>()
  const scopes: Set<string>[] = []
  let registers = false
  let suspends = false
  let returns = false
  let resumes = false
  let loops = 0
  let place: Span = { file: '', start: 0, end: 0 }

  const hidden = (name: string) => scopes.some((scope) => scope.has(name))
  const read = (name: string, span: Span) => {
    if (hidden(name)) return
    if (!reads.has(name)) reads.set(name, span)
    if (parameters !== null) bound.add(name)
  }
  const write = (name: string, value: NamePattern | null, sure = true) => {
    patterns.set(name, [...(patterns.get(name) ?? []), value])
    writes.set(name, (writes.get(name) ?? 0) + 1)
    bound.add(name)
    if (sure) settled.add(name)
  }
  const walk = (expression: Expression): void => {
    switch (expression.kind) {
      case 'literal':
        return
      case 'lookup':
        if (expression.name !== null) read(expression.name.name, expression.name.span)
        else everything()
        for (const accessor of expression.path) if (accessor.kind === 'index') walk(accessor.value)
        return
      case 'range':
        walk(expression.from)
        walk(expression.to)
        return
      case 'interpolation':
        for (const part of expression.parts) if (typeof part !== 'string') walk(part)
        return
      case 'hash':
        // A bare key is a read only where the name is bound otherwise, which the emitter decides.
        for (const { key, value } of expression.entries) {
          if (key.kind === 'computed') walk(key.value)
          walk(value)
        }
        return
      case 'array':
        for (const item of expression.items) walk(item)
        return
      case 'comparison':
      case 'logical':
        walk(expression.left)
        walk(expression.right)
        return
      case 'filtered':
        walk(expression.input)
        walkFilters(expression.filters)
    }
  }
  const walkFilters = (filters: readonly FilterCall[]): void => {
    for (const filter of filters) {
      if (options.suspendingFilter(filter.name.name)) suspends = true
      for (const value of filter.positional) walk(value)
      for (const { value } of filter.named) walk(value)
    }
  }
  // Base Liquid's `{{ [name] }}` can mean any variable: the frame is then kept as a whole.
  const everything = () => {
    reads.set('*', place)
  }

  /** Runs what may not run, or not to its end. Gives the names that are set behind it. */
  const maybe = (run: () => void): ReadonlySet<string> => {
    const before = settled
    settled = new Set(before)
    run()
    const after = settled
    settled = before
    return after
  }
  /** The variable that a name is read from, where nothing but this template can have set it. */
  const settledVariable = (name: Expression): string | null => {
    if (name.kind !== 'lookup' || name.name === null || name.path.length > 0 || hidden(name.name.name)) return null
    return settled.has(name.name.name) ? name.name.name : null
  }

  const kit: CheckKit = {
    dialect: options.dialect,
    read(expression) {
      walk(expression)
      return UNKNOWN
    },
    condition: walk,
    body(body) {
      for (const node of body) visit(node)
    },
    ways(ways, exhaustive) {
      const ends = ways.map((way) =>
        maybe(() => {
          if (way.condition !== null) walk(way.condition)
          way.run()
        }),
      )
      const [first, ...rest] = ends
      if (exhaustive && first !== undefined)
        for (const name of first) if (rest.every((end) => end.has(name))) settled.add(name)
    },
    loop(locals, body) {
      scopes.push(new Set(locals.map((local) => local.name)))
      for (const local of locals) bound.add(local.name)
      loops++
      maybe(body)
      loops--
      scopes.pop()
    },
    detached(_kind, body) {
      maybe(body)
    },
    element: () => UNKNOWN,
    assign(name) {
      write(name.name, null)
    },
    write(target, _value, push) {
      if (target.path.length === 0 && !push) return write(target.name.name, assigned, sureName)
      read(target.name.name, target.name.span)
      for (const accessor of target.path) if (accessor.kind === 'index') walk(accessor.value)
    },
    call(call, node): Type {
      walk(call.name)
      const passed = new Set<string>()
      for (const { name, value } of call.arguments) {
        walk(value)
        passed.add(name.name)
      }
      const literal = literalName(call.name)
      const written = namePattern(call.name)
      if (call.bound !== null) {
        walk(call.bound.value)
        passed.add(call.bound.as?.name ?? baseName(literal ?? ''))
        if (call.kind !== 'include' && call.bound.each) passed.add('forloop')
      }
      calls.push({
        kind: call.kind,
        name: call.name,
        literal,
        patterns: written === null || literal !== null ? null : [written],
        variable: literal === null ? settledVariable(call.name) : null,
        passed,
        hidden: new Set(scopes.flatMap((scope) => [...scope])),
        inLoop: loops > 0,
        boundBefore: new Set(bound),
        node,
      })
      return UNKNOWN
    },
    job(args) {
      for (const { value } of args) walk(value)
    },
    query({ name, body, arguments: args, spread, filters }) {
      if (name !== null) walk(name)
      if (spread !== null) walk(spread)
      for (const { value } of args) walk(value)
      for (const node of body) visit(node)
      walkFilters(filters)
      const inline = name === null ? inlineDocument(body) : null
      if (name !== null) queries.push({ kind: 'stored', literal: literalName(name) })
      else if (inline !== null) queries.push({ kind: 'inline', span: inline.span })
      return UNKNOWN
    },
    counter(name) {
      counters.add(name.name)
      registers = true
    },
    register() {
      registers = true
    },
    halt(kind, value) {
      if (kind === 'return') {
        if (value !== null) returns = true
      } else if (loops === 0) halts.add(kind)
    },
    port(name) {
      if (SUSPENDING.has(name)) suspends = true
    },
    offered() {},
    note() {},
    source: () => '',
    report() {},
  }
  let assigned: NamePattern | null = null
  let sureName = true
  const visit = (node: Node): void => {
    if (node.kind === 'text') return
    place = node.span
    const value = node.kind === 'tag' && node.name === 'assign' ? (node.markup as { value: Expression }).value : null
    assigned = value === null ? null : namePattern(value)
    sureName = value === null || isSureName(value)
    if (node.kind === 'output') {
      if (node.value !== null) walk(node.value)
      return
    }
    const tag = options.tags.get(node.name)
    if (tag === undefined) return
    if (resumesLoop(node)) resumes = true
    tag.check(node as TagNode<never, never>, kit)
  }
  for (const node of nodes) visit(node)
  // A variable is known as far as everything is that the template assigns to it, here or further down in a loop.
  const resolved = calls.map((call) => {
    const all = call.variable === null ? undefined : patterns.get(call.variable)
    if (all === undefined) return call
    return all.includes(null) ? { ...call, variable: null } : { ...call, patterns: all as NamePattern[] }
  })
  return { reads, writes, counters, registers, calls: resolved, queries, suspends, halts, returns, resumes }
}

function literalName(name: Expression): string | null {
  return name.kind === 'literal' && name.value.type === 'string' ? name.value.value : null
}

function resumesLoop(node: TagNode): boolean {
  const args = (node.markup as { arguments?: readonly { name: { name: string }; value: Expression }[] } | undefined)
    ?.arguments
  if (node.name !== 'for' || args === undefined) return false
  return args.some(
    ({ name, value }) => name.name === 'offset' && value.kind === 'lookup' && value.name?.name === 'continue',
  )
}
