/** Stands where a tag could not be read: a site built in spite of its errors fails here, with the words of the diagnostic. */
import { invoke, run, string } from '../../core/model/code.ts'
import { tag } from './tag.ts'

/** No author can write this name. */
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
