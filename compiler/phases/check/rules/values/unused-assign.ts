/** `unused-assign`: a variable that is set and never read. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports the variables that a template sets and never reads. */
export function checkUnusedAssigns(walk: Walk): void {
  const { env, siteTemplate, reads } = walk
  if (reads.readsAll) return
  const isIncluded = env.isIncluded(siteTemplate.key)
  for (const [name, span] of reads.setAt) {
    if (reads.used.has(name) || name.startsWith('_')) continue
    // A template that includes this one may read the names that it sets.
    if (isIncluded && (env.isRead(name) || env.isRead('*'))) continue
    const hasSideEffect = walk.findings.hasSideEffectAt(span)
    const diagnostic = unusedAssign(span, name, hasSideEffect)
    walk.findings.reportMissing(hasSideEffect ? { ...diagnostic, severity: 'info' } : diagnostic)
  }
}

export const unusedAssign = message(
  'unused-assign',
  'warning',
  'UnusedAssign',
  /** `hasSideEffect`: the expression has a side effect, so only its result is unused. */
  (name: string, hasSideEffect: boolean) => ({
    subject: { kind: 'variable', name },
    text: `${quote(name)} is set here but never read.`,
    hint: hasSideEffect
      ? `Rename the variable to \`_${name}\` if only the side effect matters.`
      : `Remove the variable, or rename it to \`_${name}\` if this is intended.`,
    change: hasSideEffect
      ? { edits: [{ part: name, text: `_${name}` }], safe: true }
      : { edits: [{ target: 'markup', match: '^(?:\\{%-?\\s*)?assign\\s[^]*$', text: '' }] },
  }),
  {
    wrong: '{% assign x = 1 %}',
    right: '{% assign x = 1 %}{{ x }}',
  },
)
