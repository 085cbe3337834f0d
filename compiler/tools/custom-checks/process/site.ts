/** The files of the site as checks see them. */
import { readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { CheckedFile, CheckRequest, SourceType } from '../messages.ts'
import type { Parser } from './parser.ts'
import { graphqlTree, yamlTree } from './trees.ts'
import { getOrMake } from '../../../core/source/maps.ts'

/** Number of trees to keep, because checks may read those of other files. */
const MAX_TREES = 100

/** What the functions of a check receive for a file. */
export interface FileView {
  readonly uri: string
  readonly type: SourceType | undefined
  readonly source: string
  /** An `Error` if the file cannot be parsed. */
  readonly ast: unknown
}

export class SiteFile {
  readonly uri: string
  readonly rootUri: string
  readonly relativePath: string
  readonly name: string
  readonly type: SourceType | undefined
  readonly fileType: string | undefined
  readonly moduleName: string | undefined
  /** Unsaved texts have a version in editors. */
  readonly version = undefined
  readonly loaded = true
  readonly #path: string
  readonly #text: string | null
  readonly #trees: Trees
  readonly #derived = new Map<string, unknown>()

  constructor(file: CheckedFile, root: string, trees: Trees) {
    this.#path = join(root, ...file.path.split('/'))
    this.uri = pathToFileURL(this.#path).href
    this.rootUri = pathToFileURL(root).href
    this.relativePath = file.path
    this.name = basename(file.path).replace(/(?:\.\w+)?\.liquid$|\.\w+$/, '')
    this.type = file.type ?? undefined
    this.fileType = file.fileType ?? undefined
    this.moduleName = file.module ?? undefined
    this.#text = file.text
    this.#trees = trees
  }

  get source(): string {
    return this.#text ?? readFileSync(this.#path, 'utf8')
  }

  /** The tree of a query or a YAML file. A template has one for each parser: see `readTree`. */
  get ast(): unknown {
    return this.readTree(null)
  }

  readTree(parser: Parser | null): unknown {
    return this.#trees.treeOf(this, parser)
  }

  /** Files are read when they are needed, so this does nothing. */
  async load(): Promise<void> {}

  /** Keeps a value that a check computes from the file. */
  derived(key: string, compute: () => unknown): unknown {
    if (!this.#derived.has(key)) this.#derived.set(key, compute())
    return this.#derived.get(key)
  }
}

class Trees {
  #byParser = new Map<Parser | null, Map<SiteFile, unknown>>()

  treeOf(file: SiteFile, parser: Parser | null): unknown {
    const trees = getOrMake(this.#byParser, parser, () => new Map<SiteFile, unknown>())
    return getOrMake(trees, file, () => parse(file, parser))
  }

  /** Forgets all trees if there are many. */
  trim(): void {
    const count = [...this.#byParser.values()].reduce((sum, { size }) => sum + size, 0)
    if (count > MAX_TREES) this.#byParser.clear()
  }
}

function parse(file: SiteFile, parser: Parser | null): unknown {
  switch (file.type) {
    case 'GraphQL':
      return graphqlTree(file.source)
    case 'YAML':
      return yamlTree(file.source, file.relativePath)
    case 'LiquidHtml':
      if (parser === null) return new Error('only a check of templates can read the tree of a template')
      try {
        return parser.toLiquidHtmlAST(file.source)
      } catch (error) {
        return error instanceof Error ? error : new Error(String(error))
      }
    default:
      return new Error(`there is no parser for '${file.relativePath}'`)
  }
}

export class Site {
  readonly files: readonly SiteFile[]
  readonly rootUri: string
  readonly #byUri: ReadonlyMap<string, SiteFile>
  readonly #trees = new Trees()

  constructor({ root, files }: CheckRequest) {
    this.rootUri = pathToFileURL(root).href
    this.files = files.map((file) => new SiteFile(file, root, this.#trees))
    this.#byUri = new Map(this.files.map((file) => [file.uri, file]))
  }

  get(uri: string): SiteFile | undefined {
    return this.#byUri.get(uri)
  }

  forgetTrees(): void {
    this.#trees.trim()
  }
}
