/** Reports functions that change a hash of their caller, when the caller reads the changed key afterwards. */
import { escapePattern } from '../../../core/diagnostics/change.ts'
import { writtenArgument } from '../rules/values/written-argument.ts'
import { type TagNode, unfiltered } from '../../../core/tree/ast.ts'
import type { Unit } from '../../../core/model/unit.ts'
import { function_ } from '../../../language/tags/function.ts'
import { isNodeOf, type PartialCall } from '../../../language/tags/tag.ts'
import type { UnitFacts } from '../walk/facts.ts'
import type { Walk } from '../walk/walk.ts'
import { isPartReadAfter } from './write-target.ts'

interface Callee {
  readonly name: string
  readonly unit: Unit
  readonly facts: UnitFacts | undefined
}

/**
 * Reports keys of a hash that the caller sets, the function overwrites, and the caller reads after the call. A function that returns the
 * hash, or whose result is not used, is intended to change it and is not reported.
 */
export function checkWritten(
  walk: Walk,
  call: PartialCall,
  { name: calleeName, unit, facts }: Callee,
  node: TagNode,
): void {
  const keys = facts?.changedKeys
  if (keys == null || keys.size === 0 || !isNodeOf(function_, node, 'target')) return
  const { target } = node.markup
  if (target.path.length > 0) return
  const { text } = unit.file
  const result = target.name.name
  if (result.startsWith('_') || !walk.siteTemplate.outline.reads.has(result)) return
  for (const { name, value } of call.arguments) {
    const bareExpression = unfiltered(value)
    if (bareExpression.kind !== 'lookup' || bareExpression.name === null || bareExpression.path.length > 0) continue
    const variable = bareExpression.name.name
    const type = walk.isOwn(variable) ? walk.typeNow(variable) : null
    if (type?.kind !== 'record' || variable === result || isReplacedOrReturned(text, name.name)) continue
    for (const key of keys) {
      if (!type.fields.has(key) || !writesKey(text, name.name, key)) continue
      if (isPartReadAfter(walk, variable, key, node.span))
        walk.report(writtenArgument(value.span, variable, key, calleeName))
    }
  }
}

/** Returns whether a template assigns a new value to the parameter, or returns it. */
function isReplacedOrReturned(text: string, name: string): boolean {
  const variable = escapePattern(name)
  return new RegExp(
    `\\b(?:assign\\s+${variable}\\s*=|return\\s+${variable}\\b(?!\\s*[.[])|function\\s+${variable}\\s*=)`,
  ).test(text)
}

/** Returns whether a template writes this key of the parameter. */
function writesKey(text: string, name: string, key: string): boolean {
  const [variable, part] = [escapePattern(name), escapePattern(key)]
  return new RegExp(`\\bassign\\s+${variable}(?:\\.${part}|\\[\\s*["']${part}["']\\s*\\])\\s*=`).test(text)
}
