/** `response_status`: sets the HTTP status of the response. The render continues. */
import type { Expression } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { checkOption } from './options.ts'
import { tag } from './tag.ts'
import { writeEffect } from './arguments.ts'

export const response_status = tag<{ status: Expression }>({
  name: 'response_status',
  usage: '{% response_status 404 %}',
  docs: {
    description: 'Sets the status of the response. The file continues to run, and no error page is shown.',
    examples: [{ template: '{% response_status 404 %}No such dish', prints: 'No such dish', status: 404 }],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ status: $.sub(0, $.plainValue) }),
  check(node, kit) {
    checkOption(
      'response_status',
      'status',
      node.markup.status,
      kit.read(node.markup.status),
      { takes: 'number', from: 200, to: 599 },
      kit,
    )
  },
  emit(node, kit) {
    writeEffect(node.span, kit, () => invoke(kit.use('responseStatus'), kit.render, kit.value(node.markup.status)))
  },
})
