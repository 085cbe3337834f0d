/** `unstorable-argument`: an argument of a job that cannot be stored until the job runs. */
import { message } from '../../../../core/diagnostics/diagnostic.ts'
import { quote } from '../../../../core/diagnostics/words.ts'
import type { Expression, NamedArgument } from '../../../../core/tree/ast.ts'
import { type Type, UNKNOWN } from '../../../../core/model/type.ts'
import { members } from '../../../../language/types/relate.ts'
import { LOOP_NAMES } from '../../walk/known-call.ts'
import { variableOf } from '../../walk/literal-text.ts'
import type { Walk } from '../../walk/walk.ts'

/** Reports arguments of a job that cannot be stored. `types`: the inferred types of `args`, by name. */
export function checkStorable(walk: Walk, args: readonly NamedArgument[], types: ReadonlyMap<string, Type>): void {
  for (const { name, value } of args) {
    const description =
      describeRenderObject(walk, value) ?? (isRange(types.get(name.name) ?? UNKNOWN) ? 'a range' : null)
    if (description !== null) walk.report(unstorableArgument(value.span, name.name, description))
  }
}

/** Returns the name, for a message, of an object that only exists during a render; null for other values. */
function describeRenderObject(walk: Walk, value: Expression): string | null {
  const name = variableOf(value)
  if (name === null) return null
  if (LOOP_NAMES.has(name)) return walk.flow.local(name) !== undefined ? `\`${name}\`` : null
  if (walk.isOwn(name)) return null
  if (name === 'context' && walk.env.globals.has(name)) return '`context`'
  if (walk.oldKeys(name)?.length === 0) return `\`${name}\``
  const isForm = (name === 'form' || name === 'form_builder') && walk.siteTemplate.unit.file.kind === 'form'
  return isForm && walk.env.globals.has(name) ? `\`${name}\`` : null
}

function isRange(type: Type): boolean {
  const allMembers = members(type)
  return (
    allMembers.length > 0 &&
    allMembers.every((each) => each.kind === 'range' || (each.kind === 'list' && isRange(each.element)))
  )
}

const PARTIAL = { 'app/views/partials/work.liquid': '{% log item %}' }

export const unstorableArgument = message(
  'unstorable-argument',
  'error',
  'WS30',
  (name: string, what: string) => ({
    text: `The argument ${quote(name)} is ${what}, which cannot be stored for a job.`,
    hint:
      what === 'a range'
        ? 'Pass the first and the last number of the range.'
        : 'Pass only the values that the job needs, each as a separate argument.',
  }),
  {
    wrong: {
      'app/views/pages/index.liquid': `{% background job = 'work', item: context %}{{ job }}`,
      ...PARTIAL,
    },
    right: {
      'app/views/pages/index.liquid': `{% background job = 'work', item: context.params %}{{ job }}`,
      ...PARTIAL,
    },
  },
)
