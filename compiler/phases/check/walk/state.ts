/** The state of variables at a place of a template, and joins of the states of several paths. */
import { isUnknown, type Type, UNKNOWN } from '../../../core/model/type.ts'
import { earliest, type Span } from '../../../core/source/span.ts'
import { type ChangedKeys, withChangedKeys } from '../../../language/types/changed-keys.ts'
import { join, same } from '../../../language/types/relate.ts'
import { CopyOnWriteMap } from '../../analyze/copy-on-write-map.ts'
import { areSameTexts, joinTexts, type Texts } from '../../analyze/domains/constant-texts.ts'

export interface Variable {
  readonly type: Type
  /** Whether the variable is set on every path to this place. */
  readonly certain: boolean
  /** The place where the variable was set. */
  readonly span: Span
  /** Whether no other variable refers to the value, so that changes through other names cannot affect it. */
  readonly owned: boolean
  /** Whether other variables also refer to parts of the value. */
  readonly partsShared: boolean
  /** The `cache` tag in which the variable was first set. The body of this tag may not run. */
  readonly cache: Span | null
  /** The patterns of the variable's possible texts; null if the texts are not known. */
  readonly texts: Texts
  /** The visitor-dependent part of `context` that the value was read from (`current_user`); null for none. */
  readonly visitor: string | null
}

/** Returns a variable of which only the type is known: it may be unset, and its value may come from elsewhere. */
export function foreignVariable(type: Type, span: Span): Variable {
  return { type, certain: false, span, owned: false, partsShared: true, cache: null, texts: null, visitor: null }
}

export type Variables = CopyOnWriteMap<string, Variable>

/** Joins the variables of several paths, one of which was taken. `absent` returns the type of a name that a path did not set. */
export function joinPaths(paths: readonly Variables[], absent: (name: string) => Type): Variables {
  const [first, ...otherVariables] = paths
  if (first === undefined) return new CopyOnWriteMap()
  const changed = otherVariables.filter((path) => !path.isUnchangedFrom(first))
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
    span: earliest(a.span, b.span),
    owned: a.owned && b.owned,
    partsShared: a.partsShared || b.partsShared,
    cache: earliest(a.cache, b.cache),
    texts: joinTexts(a.texts, b.texts),
    visitor: a.visitor ?? b.visitor,
  }
}

/** Returns the names of `before` whose type or texts differ in `after`, so that a loop's second iteration would see other values. */
export function changedNames(earlierVariables: Variables, laterVariables: Variables): readonly string[] {
  if (laterVariables.isUnchangedFrom(earlierVariables)) return []
  const names: string[] = []
  for (const [name, variable] of earlierVariables) {
    const later = laterVariables.get(name)
    if (later === undefined || later === variable) continue
    if (
      !same(variable.type, later.type) ||
      variable.certain !== later.certain ||
      !areSameTexts(variable.texts, later.texts)
    )
      names.push(name)
  }
  return names
}

/** Returns a copy of the variables in which the named ones have unknown types. */
export function withUnknownTypes(variables: Variables, names: Iterable<string>): Variables {
  const widened = variables.copy()
  for (const name of names) {
    const variable = widened.get(name)
    if (variable !== undefined) widened.set(name, { ...variable, type: UNKNOWN, owned: false, texts: null })
  }
  return widened
}

/** Applies writes of these keys through other variables to all values that may be shared. */
export function changeShared(variables: Variables, keys: ChangedKeys, except: string | null): void {
  for (const [name, variable] of variables) {
    if ((variable.owned && !variable.partsShared) || name === except || isUnknown(variable.type)) continue
    const type = withChangedKeys(variable.type, keys)
    if (type !== variable.type) variables.set(name, { ...variable, type })
  }
}
