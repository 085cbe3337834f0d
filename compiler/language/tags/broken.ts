/** Replaces a tag that could not be parsed. A site that is built despite errors fails here with the message of the diagnostic. */
import { invoke, run, string } from '../../core/model/code.ts'
import { tag } from './tag.ts'

/** A name that cannot be written in a template. */
export const BROKEN = '(broken)'

export const broken = tag<{ message: string }>({
  name: BROKEN,
  usage: '',
  shape: 'inline',
  grammar: () => ({ message: '' }),
  check() {},
  emit(node, kit) {
    const refuse = kit.dialect === 'liquid' ? 'refuseSyntax' : 'refuse'
    kit.guard(true, node.span, () => kit.add(run(invoke(kit.use(refuse), string(node.markup.message)), node.span)))
  },
})
