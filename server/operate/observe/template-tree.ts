/** Counts the calls of templates of one request as a tree. Repeated calls of a template by the same caller are one node. */
import type { TemplateCalls, TemplateKind, TemplateReporter } from '../../core/contracts/recording.ts'

/** Maximum number of nodes of a tree. Further templates count as part of their caller. */
const MAX_NODES = 400
/** Maximum depth of a tree. */
const MAX_DEPTH = 40

interface Node {
  readonly kind: TemplateKind
  readonly file: string
  readonly depth: number
  count: number
  ms: number
  longest: number
  bytes: number | null
  readonly parts: Map<string, Node>
}

/** Reporters of one run in their order. */
const ORDER: Readonly<Record<TemplateReporter, number>> = { host: 0, around: 1, own: 2 }
/** The token of a run that was reported before. Its end is reported with the first token. */
const REPORTED: object = {}

/** A running template. */
interface Run {
  readonly file: string
  /** What has reported it last. */
  by: TemplateReporter
  readonly node: Node
  readonly started: number
  readonly parent: Run | null
}

export class TemplateTree {
  readonly #root: Node = newNode('page', '', 0)
  #size = 0
  #current: Run | null = null

  /** The file of the running template; null when none is running. */
  get currentFile(): string | null {
    return this.#current?.file ?? null
  }

  begin(kind: TemplateKind, file: string, by: TemplateReporter): object {
    const parent = this.#current
    // The same run, reported from outside before.
    if (parent !== null && parent.file === file && ORDER[parent.by] < ORDER[by]) {
      parent.by = by
      return REPORTED
    }
    const caller = parent?.node ?? this.#root
    let node = caller.parts.get(file)
    if (node === undefined) {
      if (this.#size >= MAX_NODES || caller.depth >= MAX_DEPTH) node = caller
      else {
        this.#size++
        node = newNode(kind, file, caller.depth + 1)
        caller.parts.set(file, node)
      }
    }
    const run: Run = { file, by, node, started: performance.now(), parent }
    this.#current = run
    return run
  }

  /** Ends a run, and the runs in it that an error has left. @param bytes number of printed characters; null when unknown */
  end(begun: object, bytes: number | null): void {
    if (!this.#isOpen(begun)) return
    while (this.#current !== null && this.#current !== begun) this.#leave(this.#current, null)
    if (this.#current !== null) this.#leave(this.#current, bytes)
  }

  /** Ends the runs that the innermost run of a file has called. If none of the file is open, all end that a host has not begun. */
  leaveCalledBy(file: string): void {
    for (let run = this.#current; run !== null; run = run.parent)
      if (run.file === file) {
        while (this.#current !== null && this.#current !== run) this.#leave(this.#current, null)
        return
      }
  }

  #isOpen(begun: object): boolean {
    for (let run = this.#current; run !== null; run = run.parent) if (run === begun) return true
    return false
  }

  #leave({ node, started, parent }: Run, bytes: number | null): void {
    this.#current = parent
    // A template that does not fit into the tree counts as part of its caller.
    if (node === parent?.node || node === this.#root) return
    const ms = performance.now() - started
    node.count++
    node.ms += ms
    if (ms > node.longest) node.longest = ms
    if (bytes !== null) node.bytes = (node.bytes ?? 0) + bytes
  }

  /** Returns the tree, in the order of the first calls. Open runs end now. */
  finish(): readonly TemplateCalls[] {
    while (this.#current !== null) this.#leave(this.#current, null)
    return callsIn(this.#root)
  }
}

function newNode(kind: TemplateKind, file: string, depth: number): Node {
  return { kind, file, depth, count: 0, ms: 0, longest: 0, bytes: null, parts: new Map() }
}

function callsIn({ parts }: Node): readonly TemplateCalls[] {
  return [...parts.values()].map((node) => ({
    kind: node.kind,
    file: node.file,
    count: node.count,
    ms: toMicroseconds(node.ms),
    longest: toMicroseconds(node.longest),
    bytes: node.bytes,
    parts: callsIn(node),
  }))
}

/** Rounds milliseconds to three digits. */
export function toMicroseconds(milliseconds: number): number {
  return Math.round(milliseconds * 1_000) / 1_000
}
