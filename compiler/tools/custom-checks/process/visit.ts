/** Calls the functions of a check for a file and for the nodes of its tree, in the order of the service's checker. */
import type { FileView } from './site.ts'
import type { Parser } from './parser.ts'

type Visitor = Readonly<Record<string, unknown>>

interface Node {
  readonly type: string
}

interface Step {
  readonly node: Node
  readonly ancestors: readonly Node[]
  /** Whether everything inside the node was visited. */
  readonly isExit: boolean
}

/** Properties of the trees of YAML and GraphQL that contain no nodes. */
const NO_NODES: ReadonlySet<string> = new Set(['loc', 'document', 'syntaxError'])
/** For a parser that does not name them. */
const LINKS: ReadonlySet<string> = new Set(['parentNode', 'prev', 'next', 'firstChild', 'lastChild'])

/** Visits a file. If it cannot be parsed, only `onCodePathStart` is called. */
export async function visitTree(visitor: Visitor, file: FileView, parser: Parser | null): Promise<void> {
  await call(visitor, 'onCodePathStart', file)
  const tree = file.ast
  if (tree instanceof Error) return
  const skipped = parser === null ? NO_NODES : (parser.nonTraversableProperties ?? LINKS)
  if (isNode(tree)) await visitNodes(visitor, tree, skipped)
  await call(visitor, 'onCodePathEnd', file)
}

async function visitNodes(visitor: Visitor, tree: Node, skipped: ReadonlySet<string>): Promise<void> {
  const steps: Step[] = [{ node: tree, ancestors: [], isExit: false }]
  for (let step = steps.pop(); step !== undefined; step = steps.pop()) {
    const { node, ancestors, isExit } = step
    if (isExit) {
      await call(visitor, `${node.type}:exit`, node, ancestors)
      continue
    }
    await call(visitor, node.type, node, ancestors)
    if (visitor[`${node.type}:exit`] !== undefined) steps.push({ node, ancestors, isExit: true })
    const inner = [...ancestors, node]
    // The last step is done first: lists are visited from their start, and properties from the last one.
    for (const [key, value] of Object.entries(node)) {
      if (skipped.has(key)) continue
      const nodes: readonly unknown[] = Array.isArray(value) ? value.toReversed() : [value]
      for (const each of nodes) if (isNode(each)) steps.push({ node: each, ancestors: inner, isExit: false })
    }
  }
}

async function call(visitor: Visitor, name: string, ...args: readonly unknown[]): Promise<void> {
  const method = visitor[name]
  if (typeof method === 'function') await method.apply(visitor, args)
  else if (method !== undefined) throw new Error(`its \`${name}\` must be a function`)
}

function isNode(value: unknown): value is Node {
  return typeof value === 'object' && value !== null && 'type' in value && typeof value.type === 'string'
}
