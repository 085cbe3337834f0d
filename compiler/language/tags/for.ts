/** `for`: runs a body for each item of an array, pair of a hash or number of a range. `else` runs if there are no items. */
import { invalidLoopArguments } from '../../core/diagnostics/codes/syntax/invalid-loop-arguments.ts'
import { objectAsList } from '../../core/diagnostics/codes/queries/object-as-list.ts'
import { tagArgumentType } from '../../core/diagnostics/codes/tags-and-filters/tag-argument-type.ts'
import type { Expression, NamedArgument, NameNode } from '../../core/tree/ast.ts'
import {
  binary,
  boolean,
  branch,
  type Code,
  constant,
  element,
  ident,
  invoke,
  member,
  method,
  number,
  run,
  string,
  typed,
  when,
} from '../../core/model/code.ts'
import { type Type, UNKNOWN } from '../../core/model/type.ts'
import { LIST_VALUE, optional as optionalValue } from '../../core/model/value-type.ts'
import type { Grammar } from '../syntax/grammar.ts'
import * as T from '../syntax/tokens.ts'
import { collection, LIST_FIELD } from '../types/lookup.ts'
import { LOOP } from '../types/loops.ts'
import { categories, describe } from '../types/relate.ts'
import { findArgument, optionalCode } from './arguments.ts'
import { countingFields, countingLoop } from './counting.ts'
import { type Options, readOption } from './options.ts'
import { type CheckKit, tag } from './tag.ts'

export interface LoopMarkup {
  readonly variable: NameNode
  readonly list: Expression
  readonly reversed: boolean
  readonly arguments: readonly NamedArgument[]
}

export const for_ = tag<LoopMarkup, null>({
  name: 'for',
  usage: '{% for item in list %}…{% endfor %}',
  docs: {
    description:
      'Runs its body for each item of an array, pair of a hash or number of a range. `else` runs if there are no items. `forloop` has the position in the loop.',
    forms: [
      '{% for i in (1..n) %}…{% else %}…{% endfor %}',
      '{% for item in list reversed limit: 2 offset: 1 %}…{% endfor %}',
    ],
    arguments: {
      limit: 'The maximum number of items.',
      offset: 'The number of items to skip. `continue` resumes where the last loop over this list stopped.',
    },
    examples: [
      {
        template:
          "{% assign teas = 'green,black,white' | split: ',' %}\n{% for tea in teas limit: 2 %}{{ forloop.index }}. {{ tea }} {% else %}No tea{% endfor %}",
        prints: '1. green 2. black',
      },
      {
        description: 'A loop over a hash returns pairs.',
        template:
          '{% assign price = { "tea": 3, "milk": 1 } %}\n{% for pair in price %}{{ pair[0] }}: {{ pair[1] }} {% endfor %}',
        prints: 'tea: 3 milk: 1',
      },
    ],
  },
  shape: 'block',
  blank: 'body',
  branches: { else: () => null },
  grammar: loopMarkup,
  check(node, kit) {
    const item = checkLoopHead('for', node.markup, ['limit', 'offset'], kit)
    if (resumes(node.markup)) kit.register()
    const { name, span } = node.markup.variable
    kit.branches(
      [
        {
          condition: null,
          run: () =>
            kit.loop(
              [
                { name, span, type: item },
                { name: 'forloop', span: null, type: LOOP },
              ],
              () => kit.body(node.body),
            ),
        },
      ],
      false,
    )
    for (const branch of node.branches.slice(0, 1))
      kit.branches([{ condition: null, run: () => kit.body(branch.body) }], false)
  },
  emit(node, kit) {
    const { variable, list, reversed, arguments: args } = node.markup
    const limit = findArgument(args, 'limit')
    const offset = findArgument(args, 'offset')
    const isFallible = kit.fallible(list) || [limit, offset].some((each) => each !== undefined && !isInteger(each))
    const loopName = `${variable.name}-${kit.source(list.span)}`
    kit.guard(isFallible, node.span, () => {
      const isWhole = limit === undefined && offset === undefined && !reversed && !kit.resumes
      const slicedItems = (): Code => {
        const positionArguments = kit.resumes ? [kit.registers(), string(loopName)] : []
        const start = resumes(node.markup)
          ? method(kit.registers(), 'position', string(loopName))
          : optionalCode(offset, kit)
        const bounds = [start, optionalCode(limit, kit), boolean(reversed)]
        return typed(invoke(kit.use('segment'), kit.value(list), ...bounds, ...positionArguments), LIST_VALUE)
      }
      const items = kit.keep('items', isWhole ? kit.items(list) : slicedItems(), node.span)
      const itemType = items.type?.kind === 'list' ? items.type.element : undefined
      kit.scope(variable.name, () => {
        const loop = { index: kit.fresh('i'), count: kit.fresh('end') }
        const index = ident(loop.index)
        const loopVariable = kit.fresh('loop')
        const name = () => string(loopName)
        const parent = kit.parentLoop()
        // The loop object is created only if the template uses it as a value.
        let isValue = false
        const body = kit.block(() => {
          const value = element(items, index)
          kit.item(variable.name, itemType === undefined ? value : typed(value, optionalValue(itemType)), node.span)
          kit.loopObject(
            'forloop',
            { ...countingFields(loop), name, parentloop: parent },
            () => {
              isValue = true
              return ident(loopVariable)
            },
            () => kit.turn(() => kit.body(node.body)),
          )
        })
        if (!isValue) return kit.add(countingLoop(loop, items, body, node.span))
        const loopObject = invoke(kit.use('forloop'), member(items, 'length'), name(), parent())
        const advanceLoop = run(invoke(kit.use('turnLoop'), ident(loopVariable), index))
        kit.add(constant(loopVariable, loopObject, node.span))
        kit.add(countingLoop(loop, items, [advanceLoop, ...body], node.span))
        kit.add(run(invoke(kit.use('endLoop'), ident(loopVariable))))
      })
      const elseBranch = node.branches[0]
      if (elseBranch === undefined) return
      const isEmpty = binary(member(items, 'length'), '===', number(0))
      kit.add(
        when(
          branch(
            isEmpty,
            kit.branch(() => kit.body(elseBranch.body)),
            elseBranch.span,
          ),
        ),
      )
    })
  },
})

export function loopMarkup($: Grammar): LoopMarkup {
  const variable = $.sub(0, $.name)
  $.take(0, T.In)
  const list = $.sub(0, $.primary)
  let reversed = false
  $.maybe(0, () => {
    $.take(0, T.Reversed)
    $.act(() => {
      reversed = true
    })
  })
  const args = $.sub(0, $.namedArguments)
  return $.act(() => ({ variable, list, reversed, arguments: args }))
}

const OPTIONS: Options = { limit: { takes: 'number' }, offset: { takes: 'number' }, cols: { takes: 'number' } }

/** Reads the markup of the loop's tag and returns the type of an item. */
export function checkLoopHead(tag: string, markup: LoopMarkup, knownNames: readonly string[], kit: CheckKit): Type {
  const type = kit.read(markup.list)
  for (const { name, value } of markup.arguments) {
    if (!knownNames.includes(name.name)) kit.report(invalidLoopArguments(name.span, name.name, knownNames))
    // In `offset: continue`, `continue` is not a variable.
    if (!(name.name === 'offset' && isContinue(value)))
      readOption(tag, { name, value, ignoredFilters: null }, OPTIONS, kit)
  }
  const origin =
    markup.list.kind === 'lookup' ? collection(type.kind === 'unknown' ? (type.likely ?? type) : type) : null
  if (origin === null) {
    if (isNumber(type))
      kit.report(tagArgumentType(markup.list.span, tag, kit.source(markup.list.span), 'array', describe(type)))
    return kit.element(type)
  }
  kit.report(objectAsList(markup.list.span, kit.source(markup.list.span), LIST_FIELD, origin))
  // The fields are read from the items of the list.
  return UNKNOWN
}

/** Returns whether a value, if it is set, is a number, which cannot be looped over. */
function isNumber(type: Type): boolean {
  const kinds = [...(categories(type) ?? [])].filter((each) => each !== 'nil')
  return kinds.length > 0 && kinds.every((each) => each === 'number')
}

function isContinue(value: Expression): boolean {
  return value.kind === 'lookup' && value.path.length === 0 && value.name?.name === 'continue'
}

function resumes(markup: LoopMarkup): boolean {
  return markup.arguments.some((each) => each.name.name === 'offset' && isContinue(each.value))
}

function isInteger(value: Expression): boolean {
  return value.kind === 'literal' && value.value.type === 'integer'
}
