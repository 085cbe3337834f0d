/** The pages about the commands, editors and agents. The search also finds the rows of their tables. */
import type { Entry } from '../entry.ts'
import { withRowsFound } from '../page.ts'
import { parsePage } from '../parse-page.ts'
import agents from './agents.md'
import commands from './commands.md'
import editors from './editors.md'

export const TOOLS: readonly Entry[] = [
  withRowsFound(parsePage('tools', 'commands', commands)),
  withEditorsFound(parsePage('tools', 'editors', editors)),
  withRowsFound(parsePage('tools', 'agents', agents)),
]

/** Returns the page with the names of the editors, which the search then also finds. They are above the settings of each editor. */
function withEditorsFound(page: Entry): Entry {
  const { blocks, summary } = page
  const names = blocks.flatMap((block, at) =>
    block.kind === 'words' && blocks[at + 1]?.kind === 'code' ? [/^[\w ]+/.exec(block.text)?.[0] ?? ''] : [],
  )
  return { ...page, also: names.map((name) => ({ name, summary, id: '' })) }
}
