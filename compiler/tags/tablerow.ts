/** `tablerow`: a table's rows and cells, one cell an item. */
import { TABLE_LOOP } from '../types/loops.ts'
import { argument } from './arguments.ts'
import { checkLoopHead, type LoopMarkup, loopMarkup } from './for.ts'
import { tag } from './tag.ts'

export const tablerow = tag<LoopMarkup>({
  name: 'tablerow',
  usage: '{% tablerow item in list cols: 2 %}…{% endtablerow %}',
  docs: {
    says: 'Prints the rows and cells of a table, a cell for each item. Inside, `tablerowloop` tells where the loop is.',
    forms: ['{% tablerow item in list cols: 3, limit: 6, offset: 1 %}…{% endtablerow %}'],
    arguments: {
      cols: 'Cells of a row; all in one where it is not said.',
      limit: 'How many items at most.',
      offset: 'How many items are left out first.',
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
    kit.ways([{ condition: null, run: () => kit.loop(locals, () => kit.body(node.body)) }], false)
  },
  emit(node, kit) {
    const { variable, list, arguments: args } = node.markup
    const given = (name: string, absent: string) => {
      const value = argument(args, name)
      return value === undefined ? absent : kit.value(value)
    }
    kit.guard(true, node.span, () => {
      const table = kit.fresh('table')
      kit.statement(
        `const ${table} = ${kit.use('tableRows')}(${kit.value(list)}, ${given('offset', 'null')}, ${given('limit', 'null')}, ${given('cols', 'undefined')})`,
        node.span,
      )
      kit.block(`if (${table} !== null)`, node.span, () => {
        kit.text('<tr class="row1">\n')
        const at = kit.fresh('i')
        kit.scope([variable.name], ([item]) => {
          kit.block(`for (let ${at} = 0, ${at}$n = ${table}.items.length; ${at} < ${at}$n; ${at}++)`, node.span, () => {
            kit.statement(
              `${kit.declares(variable.name)} ${item}${kit.type('Liquid')} = ${table}.items[${at}]`,
              node.span,
            )
            const column = `(${at} % ${table}.columns)`
            kit.text('<td class="col')
            kit.print(`${column} + 1`, node.span)
            kit.text('">')
            // A break closes the cell and the row.
            const stopped = kit.fresh('stopped')
            kit.statement(`let ${stopped} = false`, node.span)
            const fields = {
              index: `(${at} + 1)`,
              index0: at,
              rindex: `(${at}$n - ${at})`,
              rindex0: `(${at}$n - ${at} - 1)`,
              first: `(${at} === 0)`,
              last: `(${at} === ${at}$n - 1)`,
              length: `${at}$n`,
              col: `(${column} + 1)`,
              col0: column,
              col_first: `(${column} === 0)`,
              col_last: `(${column} === ${table}.columns - 1)`,
              row: `(Math.floor(${at} / ${table}.columns) + 1)`,
            }
            const whole = () =>
              `({ ${Object.entries(fields)
                .map(([key, code]) => `${key}: ${code}`)
                .join(', ')} })`
            const cell = kit.fresh('cell')
            kit.loopObject('tablerowloop', fields, whole, () =>
              kit.block(`${cell}:`, node.span, () =>
                kit.turn(() => kit.body(node.body), {
                  break: `${stopped} = true; break ${cell}`,
                  continue: `break ${cell}`,
                }),
              ),
            )
            kit.text('</td>')
            kit.statement(`if (${stopped}) break`, node.span)
            kit.block(`if (${column} === ${table}.columns - 1 && ${at} !== ${at}$n - 1)`, node.span, () => {
              kit.text('</tr>\n<tr class="row')
              kit.print(`Math.floor((${at} + 1) / ${table}.columns) + 1`, node.span)
              kit.text('">')
            })
          })
        })
        kit.text('</tr>\n')
      })
    })
  },
})
