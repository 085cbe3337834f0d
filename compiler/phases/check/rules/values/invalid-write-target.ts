/** `invalid-write-target`: a write into a value that cannot hold it. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { withArticle, quote } from '../../../../core/diagnostics/words.ts'
import type { WriteTarget } from '../../../../core/tree/ast.ts'
import type { Type } from '../../../../core/model/type.ts'
import { categories, describe, members } from '../../../../language/types/relate.ts'
import { nameOf } from '../../walk/context-paths.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports a write through the accessor at `at` that definitely fails. Returns whether the write can succeed. */
export function checkContainer(
  walk: Walk,
  target: WriteTarget,
  at: number,
  container: Type,
  index: Type | null,
): boolean {
  const found = categories(container)
  if (found === null || found.size === 0 || found.has('hash')) return true
  const accessor = target.path[at]
  if (found.size === 1 && found.has('list')) {
    // An array takes integers only.
    const hasTextKey =
      (accessor !== undefined && nameOf(accessor) !== null) ||
      (index !== null && members(index).every((each) => each.kind === 'string'))
    if (hasTextKey) reportInvalidTarget(walk, target, at, 'hash', container)
    return !hasTextKey
  }
  if (found.has('list')) return true
  reportInvalidTarget(walk, target, at, 'hash or an array', container)
  return false
}

/** Reports an append to a value that is definitely not an array. Returns whether the append can succeed. */
export function checkList(walk: Walk, target: WriteTarget, container: Type): boolean {
  const found = categories(container)
  if (found === null || found.size === 0 || found.has('list')) return true
  reportInvalidTarget(walk, target, target.path.length, 'array', container)
  return false
}

function reportInvalidTarget(walk: Walk, target: WriteTarget, at: number, expected: string, container: Type): void {
  walk.findings.reportFault(
    invalidWriteTarget(target.span, containerText(walk, target, at), expected, describe(container)),
  )
}

/** Returns the source text of the target up to the container of the accessor at `at`. */
function containerText(walk: Walk, target: WriteTarget, at: number): string {
  return walk.source({ ...target.span, end: target.path[at - 1]?.span.end ?? target.name.span.end })
}

export const invalidWriteTarget = message(
  'invalid-write-target',
  'error',
  'InvalidWriteTarget',
  (target: string, expected: string, found: string) => ({
    subject: { kind: 'variable', name: target, type: found },
    text: `${quote(target)} is ${withArticle(found)} here, but this assignment needs ${withArticle(expected)}.`,
  }),
  {
    wrong: `{% assign n = 1 %}{% assign n['k'] = 2 %}{{ n }}`,
    right: `{% assign n = {} %}{% assign n['k'] = 2 %}{{ n }}`,
  },
)
