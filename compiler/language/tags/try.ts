/** `try`: catches errors in its body, in both error modes. The output before the error is kept. */
import type { NameNode } from '../../core/tree/ast.ts'
import { assign, binary, constant, ident, invoke, member, number, run } from '../../core/model/code.ts'
import { UNKNOWN } from '../../core/model/type.ts'
import type { Grammar } from '../syntax/grammar.ts'
import { tag } from './tag.ts'

type Catch = { name: NameNode | undefined }

export const try_ = tag<undefined, Catch>({
  name: 'try',
  aliases: ['try_rc'],
  usage: '{% try %}…{% catch error %}…{% endtry %}',
  docs: {
    description:
      'Catches errors in its body. The output before the error is kept, and `catch` runs with the error, which has a `message` and a `name`.',
    forms: ['{% try %}…{% catch %}…{% endtry %}'],
    examples: [
      {
        template: '{% try %}{{ 1 | divided_by: 0 }}{% catch error %}{{ error.message }}{% endtry %}',
        prints: 'Liquid error…divided by 0',
      },
    ],
  },
  shape: 'block',
  blank: 'body',
  platform: true,
  branches: { catch: catchBranch },
  grammar: () => undefined,
  check(node, kit) {
    kit.detached('try', () => kit.body(node.body))
    const handler = node.branches[0]
    if (handler === undefined) return
    kit.branches(
      [
        {
          condition: null,
          run: () => {
            if (handler.markup.name !== undefined) kit.assign(handler.markup.name, UNKNOWN)
            kit.body(handler.body)
          },
        },
      ],
      false,
    )
  },
  emit(node, kit) {
    const handler = node.branches[0]
    const error = kit.fresh('error')
    const depth = kit.fresh('depth')
    const trying = kit.fresh('trying')
    const outerDepth = member(kit.render, 'depth')
    const outerTrying = member(kit.render, 'trying')
    const restoreTrying = assign(outerTrying, ident(trying), node.span)
    kit.add(constant(depth, outerDepth, node.span))
    kit.add(constant(trying, outerTrying, node.span))
    const body = kit.block(() => {
      kit.add(assign(outerTrying, binary(ident(trying), '+', number(1)), node.span))
      kit.tried(() => kit.body(node.body))
    })
    const caught = kit.block(() => {
      kit.add(restoreTrying)
      kit.add(assign(outerDepth, ident(depth), node.span))
      const name = handler?.markup.name
      const fault = invoke(kit.use('caught'), kit.render, ident(error), kit.unit(), kit.line(node.span))
      if (name === undefined) kit.add(run(fault, node.span))
      else kit.assign(name, fault, node.span)
      if (handler !== undefined) kit.body(handler.body)
    })
    kit.add({
      kind: 'try',
      body,
      error,
      handler: { body: caught, span: node.span },
      // `break` or `return` in the body also leaves the `try`.
      last: { body: [restoreTrying], span: node.span },
      span: node.span,
    })
  },
})

function catchBranch($: Grammar): Catch {
  return { name: $.maybe(0, () => $.sub(0, $.name)) }
}
