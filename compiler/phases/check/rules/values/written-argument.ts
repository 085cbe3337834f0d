/** `written-argument`: a function changes a key in its caller's hash, and the caller reads that key afterwards. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import { escapePattern } from '../../../../core/diagnostics/change.ts'
import type { TagNode } from '../../../../core/tree/ast.ts'
import { function_ } from '../../../../language/tags/function.ts'
import { isNodeOf, type PartialCall } from '../../../../language/tags/tag.ts'
import type { Callee } from '../../walk/known-call.ts'
import { isPartReadAfter } from '../../walk/reads-after.ts'
import { variableOf } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'

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
  const result = target.name.name
  if (result.startsWith('_') || !walk.siteTemplate.outline.reads.has(result)) return
  const text = walk.env.textOf(unit)
  for (const { name, value } of call.arguments) {
    const variable = variableOf(value)
    const type = variable !== null && walk.isOwn(variable) ? walk.typeNow(variable) : null
    if (variable === null || type?.kind !== 'record' || variable === result || isReplacedOrReturned(text, name.name))
      continue
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

export const writtenArgument = message(
  'written-argument',
  'info',
  'WS37',
  (name: string, key: string, partial: string) => ({
    text: `${quote(partial)} changes ${quote(key)} in ${quote(name)}, so the value read below is not the one set above.`,
    hint: `Pass a copy, or let ${quote(partial)} return the new value.`,
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% assign order = { "total": 5 } %}{% function half = 'half', order: order %}{{ half }} of {{ order.total }}`,
      'app/lib/half.liquid': `{% assign order['total'] = order.total | divided_by: 2 %}{% assign half = order.total %}{% return half %}`,
    },
    right: {
      'app/views/pages/index.liquid': `{% assign order = { "total": 5 } %}{% function half = 'half', order: order %}{{ half }} of {{ order.total }}`,
      'app/lib/half.liquid': '{% assign half = order.total | divided_by: 2 %}{% return half %}',
    },
  },
)
