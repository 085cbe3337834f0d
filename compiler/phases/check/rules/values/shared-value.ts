/** `shared-value`: an assignment into a hash or array that two variables share. */
import type { Span } from '../../../../core/source/span.ts'
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { WriteTarget } from '../../../../core/tree/ast.ts'
import { nameOf } from '../../walk/context-paths.ts'
import { isPartReadAfter, isReadAfter } from '../../walk/reads-after.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a write into a value that another variable shares, if the template later reads the written part through that variable. */
export function checkAlias(walk: Walk, { name, path, span }: WriteTarget, isPush: boolean): void {
  const other = walk.platform ? walk.reads.aliasOf(name.name) : undefined
  const [first] = path
  if (other === undefined || !walk.isOwn(other.name)) return
  const key = first === undefined ? null : nameOf(first)
  const isRead =
    first === undefined
      ? isPush && isReadAfter(walk, other.name, span)
      : key !== null && isPartReadAfter(walk, other.name, key, span)
  if (isRead) walk.report(sharedValue(span, name.name, other.name, other.span))
}

export const sharedValue = message(
  'shared-value',
  'warning',
  'WS37',
  (name: string, other: string, set: Span) => ({
    text: `${quote(name)} and ${quote(other)} are the same value, so this assignment changes both.`,
    hint: `Make a copy first: \`assign ${name} = ${other} | deep_clone\`.`,
    change: {
      edits: [{ span: set, target: 'markup', match: `(=\\s*${other})\\b`, text: '$1 | deep_clone' }],
      safe: false,
    },
    related: [{ span: set, message: 'both variables get the value here' }],
  }),
  {
    wrong: `{% assign a = { "x": 1 } %}{% assign b = a %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
    right: `{% assign a = { "x": 1 } %}{% assign b = a | deep_clone %}{% assign b['x'] = 2 %}{{ a.x }}{{ b.x }}`,
  },
)
