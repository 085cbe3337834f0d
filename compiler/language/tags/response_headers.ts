/** `response_headers`: adds headers to the response, from JSON text or a hash. */
import type { Expression } from '../../core/tree/ast.ts'
import { invoke } from '../../core/model/code.ts'
import { tag } from './tag.ts'
import { writeEffect } from './arguments.ts'

export const response_headers = tag<{ headers: Expression }>({
  name: 'response_headers',
  usage: `{% response_headers '{ "X-Robots-Tag": "noindex" }' %}`,
  docs: {
    description:
      'Adds headers to the response, from JSON text or a hash. Only the server sets headers for cookies, caching and the request id.',
    examples: [
      {
        template: '{% response_headers \'{ "X-Robots-Tag": "noindex" }\' %}Not to be found',
        prints: 'Not to be found',
        headers: { 'x-robots-tag': 'noindex' },
      },
    ],
  },
  shape: 'inline',
  blank: true,
  platform: true,
  grammar: ($) => ({ headers: $.sub(0, $.plainValue) }),
  check(node, kit) {
    kit.read(node.markup.headers)
    kit.note({ kind: 'headers', value: node.markup.headers })
  },
  emit(node, kit) {
    writeEffect(node.span, kit, () => invoke(kit.use('responseHeaders'), kit.render, kit.value(node.markup.headers)))
  },
})
