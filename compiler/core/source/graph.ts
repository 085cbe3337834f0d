/** Directed graphs. */

interface Visit<Node> {
  readonly node: Node
  /** The neighbours that are not followed yet. */
  readonly rest: Iterator<Node>
  readonly index: number
  low: number
}

/**
 * Returns the strongly connected components of a graph, each after those that it leads to, with the node that was visited last first
 * (Tarjan's algorithm). Iterative, because a path can have any length.
 */
export function stronglyConnectedComponents<Node>(
  nodes: Iterable<Node>,
  neighbours: (node: Node) => Iterable<Node>,
): readonly (readonly Node[])[] {
  const visits = new Map<Node, Visit<Node>>()
  const stack: Node[] = []
  const onStack = new Set<Node>()
  const components: Node[][] = []
  const enter = (node: Node): Visit<Node> => {
    const visit = { node, rest: neighbours(node)[Symbol.iterator](), index: visits.size, low: visits.size }
    visits.set(node, visit)
    stack.push(node)
    onStack.add(node)
    return visit
  }
  for (const first of nodes) {
    if (visits.has(first)) continue
    const path = [enter(first)]
    for (let top = path.at(-1); top !== undefined; top = path.at(-1)) {
      const { done, value } = top.rest.next()
      if (done !== true) {
        const known = visits.get(value)
        if (known === undefined) path.push(enter(value))
        else if (onStack.has(value)) top.low = Math.min(top.low, known.index)
        continue
      }
      path.pop()
      const parent = path.at(-1)
      if (parent !== undefined) parent.low = Math.min(parent.low, top.low)
      if (top.low !== top.index) continue
      const component = stack.splice(stack.lastIndexOf(top.node)).reverse()
      for (const member of component) onStack.delete(member)
      components.push(component)
    }
  }
  return components
}
