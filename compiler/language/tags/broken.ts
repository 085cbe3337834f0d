/** Replaces a tag that could not be parsed. A site that is built despite errors fails here with the message of the diagnostic. */
import type { Diagnostic } from '../../core/diagnostics/diagnostic.ts'
import { invoke, string } from '../../core/model/code.ts'
import { tag } from './tag.ts'
import { writeEffect } from './arguments.ts'

/** A name that cannot be written in a template. */
export const BROKEN = '(broken)'

export const broken = tag<{ diagnostic: Diagnostic | null }>({
  name: BROKEN,
  usage: '',
  shape: 'inline',
  grammar: () => ({ diagnostic: null }),
  check() {},
  emit(node, kit) {
    const refuse = kit.dialect === 'liquid' ? 'refuseSyntax' : 'refuse'
    const message = node.markup.diagnostic?.message ?? 'This markup cannot be parsed.'
    writeEffect(node.span, kit, () => invoke(kit.use(refuse), string(message)))
  },
})
