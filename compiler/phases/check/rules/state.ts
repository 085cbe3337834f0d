/** What is known of variables at a place of a template, and where several paths to it join. */
import { type Type, UNKNOWN } from '../../../core/model/type.ts'
import type { Span } from '../../../core/source/span.ts'
import { type ChangedKeys, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join, same } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../infer/copy-on-write-map.ts'

/** What is known of the characters of a text: its beginning and its end, or all of them (`exact`, in `prefix`). */
export interface TextPattern {
  readonly prefix: string
  readonly suffix: string
  readonly exact: boolean
}

export interface Variable {
  readonly type: Type
  /** Set on every path that leads here. */
  readonly certain: boolean
  /** Where it was set. */
  readonly span: Span
  /** No other variable holds the value, so that changes through others cannot reach it. */
  readonly owned: boolean
  /** Parts of the value are held by others, too. */
  readonly partsShared: boolean
  /** The `cache` tag that set it first, whose body may not run. */
  readonly cache: Span | null
  /** The texts it can be; null when they are not known. */
  readonly texts: readonly TextPattern[] | null
  /** The part of `context` that it was read from, where that is the visitor's own (`current_user`). */
  readonly visitor: string | null
}

export type Variables = CopyOnWriteMap<string, Variable>

const MOST_PATTERNS = 16

/** What is known where paths join, one of which was taken. `absent` gives the type of a name that a path did not set. */
export function joinPaths(paths: readonly Variables[], absent: (name: string) => Type): Variables {
  const [first, ...others] = paths
  if (first === undefined) return new CopyOnWriteMap()
  const changed = others.filter((path) => !path.isUnchangedFrom(first))
  if (changed.length === 0) return first
  const joined = first.copy()
  for (const path of changed) {
    for (const [name, variable] of path) {
      const known = joined.get(name)
      if (known === undefined) joined.set(name, variable)
      else if (known !== variable) joined.set(name, joinVariables(known, variable))
    }
  }
  if (paths.every(({ size }) => size === joined.size)) return joined
  for (const [name, variable] of joined) {
    if (paths.every((path) => path.has(name))) continue
    joined.set(name, { ...variable, type: join(variable.type, absent(name)), certain: false, texts: null })
  }
  return joined
}

function joinVariables(a: Variable, b: Variable): Variable {
  return {
    type: join(a.type, b.type),
    certain: a.certain && b.certain,
    span: a.span,
    owned: a.owned && b.owned,
    partsShared: a.partsShared || b.partsShared,
    cache: a.cache ?? b.cache,
    texts: a.texts === null || b.texts === null ? null : mergePatterns(a.texts, b.texts),
    visitor: a.visitor ?? b.visitor,
  }
}

export function mergePatterns(a: readonly TextPattern[], b: readonly TextPattern[]): readonly TextPattern[] | null {
  const all = [...a]
  for (const pattern of b) {
    if (
      !all.some(
        (each) => each.prefix === pattern.prefix && each.suffix === pattern.suffix && each.exact === pattern.exact,
      )
    )
      all.push(pattern)
  }
  return all.length > MOST_PATTERNS ? null : all
}

/** Names of `before` whose type or text differs in `after`: what a second iteration of a loop would see differently. */
export function changedNames(before: Variables, after: Variables): readonly string[] {
  if (after.isUnchangedFrom(before)) return []
  const names: string[] = []
  for (const [name, variable] of before) {
    const now = after.get(name)
    if (now === undefined || now === variable) continue
    if (!same(variable.type, now.type) || variable.certain !== now.certain || !samePatterns(variable.texts, now.texts))
      names.push(name)
  }
  return names
}

function samePatterns(a: Variable['texts'], b: Variable['texts']): boolean {
  if (a === b) return true
  if (a === null || b === null || a.length !== b.length) return false
  return a.every(
    (each, at) => each.prefix === b[at]?.prefix && each.suffix === b[at]?.suffix && each.exact === b[at]?.exact,
  )
}

/** The variables, of which the named ones are of unknown types. */
export function withUnknownTypes(variables: Variables, names: Iterable<string>): Variables {
  const wide = variables.copy()
  for (const name of names) {
    const variable = wide.get(name)
    if (variable !== undefined) wide.set(name, { ...variable, type: UNKNOWN, owned: false, texts: null })
  }
  return wide
}

/** Others have written these keys into values that they hold, too. */
export function changeShared(variables: Variables, keys: ChangedKeys, except: string | null): void {
  for (const [name, variable] of variables) {
    if ((variable.owned && !variable.partsShared) || name === except || variable.type === UNKNOWN) continue
    const type = withChangedKeys(variable.type, keys)
    if (type !== variable.type) variables.set(name, { ...variable, type })
  }
}
