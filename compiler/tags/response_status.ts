/** `response_status`: sets the answer's HTTP status. It does not stop the render. */
import type { Expression } from '../model/ast.ts'
import { tag } from './tag.ts'

export const response_status = tag<{ status: Expression }>({
  name: 'response_status',
  usage: '{% response_status 404 %}',
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ status: $.sub(0, $.plainValue) }),
  check(node, kit) {
    kit.read(node.markup.status)
  },
  emit(node, kit) {
    kit.guard(true, node.span, () =>
      kit.statement(`${kit.use('responseStatus')}(r, ${kit.value(node.markup.status)})`, node.span),
    )
  },
})
