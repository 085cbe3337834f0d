/** `tablerow`: prints table rows with one cell per item. */
import type { TagNode } from '../../core/tree/ast.ts'
import {
  assign,
  binary,
  branch,
  type Code,
  constant,
  element,
  FALSE,
  ident,
  invoke,
  leave,
  member,
  method,
  number,
  object,
  property,
  TRUE,
  typed,
  variable,
  when,
} from '../../core/model/code.ts'
import { COUNT_VALUE } from '../../core/model/value-type.ts'
import { TABLE_LOOP } from '../types/loops.ts'
import { findArgument } from './arguments.ts'
import { type Counting, countingFields, countingLoop, addOne } from './counting.ts'
import { checkLoopHead, type LoopMarkup, loopMarkup } from './for.ts'
import { type EmitKit, tag, type LoopFields } from './tag.ts'

export const tablerow = tag<LoopMarkup>({
  name: 'tablerow',
  usage: '{% tablerow item in list cols: 2 %}…{% endtablerow %}',
  docs: {
    description: 'Prints table rows with one cell for each item. `tablerowloop` has the position in the loop.',
    forms: ['{% tablerow item in list cols: 3, limit: 6, offset: 1 %}…{% endtablerow %}'],
    arguments: {
      cols: 'The number of cells per row. By default, all cells are in one row.',
      limit: 'The maximum number of items.',
      offset: 'The number of items to skip.',
    },
    examples: [
      {
        template: '<table>{% tablerow i in (1..3) cols: 2 %}{{ i }}{% endtablerow %}</table>',
        prints:
          '<table><tr class="row1">\n<td class="col1">1</td><td class="col2">2</td></tr>\n<tr class="row2"><td class="col1">3</td></tr>\n</table>',
      },
    ],
  },
  shape: 'block',
  grammar: loopMarkup,
  check(node, kit) {
    const item = checkLoopHead('tablerow', node.markup, ['limit', 'offset', 'cols', 'range'], kit)
    const { name, span } = node.markup.variable
    const locals = [
      { name, span, type: item },
      { name: 'tablerowloop', span: null, type: TABLE_LOOP },
    ]
    kit.branches([{ condition: null, run: () => kit.loop(locals, () => kit.body(node.body)) }], false)
  },
  emit(node, kit) {
    const { variable, list, arguments: args } = node.markup
    const attributes = ['offset', 'limit', 'cols'].flatMap((name) => {
      const value = findArgument(args, name)
      return value === undefined ? [] : [property(name, kit.value(value))]
    })
    kit.guard(true, node.span, () => {
      const table = kit.fresh('table')
      kit.add(constant(table, invoke(kit.use('tableRows'), kit.value(list), object(attributes)), node.span))
      const rows = kit.branch(() => {
        kit.text('<tr class="row1">\n')
        const loop = { index: kit.fresh('i'), count: kit.fresh('end') }
        kit.scope(variable.name, () => {
          const cells = kit.block(() => writeCell(node, kit, ident(table), loop))
          kit.add(countingLoop(loop, member(ident(table), 'items'), cells, node.span))
        })
        kit.text('</tr>\n')
      })
      kit.add(when(branch(member(ident(table), 'isPrinted'), rows, node.span)))
    })
  },
})

/** Emits one iteration: a cell, and the beginning of the next row after the last cell of a row. */
function writeCell(node: TagNode<LoopMarkup, undefined>, kit: EmitKit, table: Code, loop: Counting): void {
  const { variable: name } = node.markup
  const index = ident(loop.index)
  const columns = member(table, 'columns')
  const column = binary(index, '%', columns)
  const value = element(member(table, 'items'), index)
  kit.item(name.name, value, node.span)
  kit.text('<td class="col')
  kit.print(binary(column, '+', number(1)), node.span)
  kit.text('">')
  // `break` closes the cell and the row.
  const isStopped = kit.fresh('stopped')
  kit.add(variable(isStopped, FALSE, node.span))
  const row = (index: Code): Code => method(ident('Math'), 'floor', binary(index, '/', columns))
  const endsRow = binary(column, '===', binary(columns, '-', number(1)))
  const fields: LoopFields = {
    ...countingFields(loop),
    col: () => addOne(column),
    col0: () => typed(column, COUNT_VALUE),
    col_first: () => binary(column, '===', number(0)),
    col_last: () => endsRow,
    row: () => addOne(row(index)),
  }
  const cell = kit.fresh('cell')
  kit.loopObject(
    'tablerowloop',
    fields,
    () => object(Object.entries(fields).map(([name, code]) => property(name, code()))),
    () => {
      const body = kit.block(() =>
        kit.turn(() => kit.body(node.body), {
          break: (span) => [assign(ident(isStopped), TRUE, span), leave(cell)],
          continue: (span) => [leave(cell, span)],
        }),
      )
      kit.add({ kind: 'label', label: cell, body, span: node.span })
    },
  )
  kit.text('</td>')
  kit.add(when(branch(ident(isStopped), leave(null), node.span)))
  const hasMore = binary(index, '!==', binary(ident(loop.count), '-', number(1)))
  const nextRow = kit.branch(() => {
    kit.text('</tr>\n<tr class="row')
    kit.print(binary(row(binary(index, '+', number(1))), '+', number(1)), node.span)
    kit.text('">')
  })
  kit.add(when(branch(binary(endsRow, '&&', hasMore), nextRow, node.span)))
}
