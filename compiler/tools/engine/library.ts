/** The files of an engine, compiled incrementally. */
import { LANGUAGE } from '../../language/language.ts'
import { outlineTemplate } from '../../phases/analyze/outline.ts'
import { filesFromTexts, strayPartial } from '../../core/source/from-texts.ts'
import type { SourceFile } from '../../core/source/file.ts'
import { Memory } from '../../core/model/memo.ts'
import type { OutlineCall } from '../../core/model/outline.ts'
import { parseTemplate } from '../../phases/parse/parse-template.ts'
import { Compilation } from './compilation.ts'
import { LiveSite } from './live-site.ts'
import type { EngineSetup } from './setup.ts'
import type { SourceTexts } from './source.ts'

export class Library {
  readonly #setup: EngineSetup
  readonly #texts: SourceTexts
  readonly #memo = new Memory()
  #live: LiveSite | null = null
  #compilation: Compilation | null = null
  /** Version number that increases with every change of a file. */
  version = 0

  constructor(setup: EngineSetup, texts: SourceTexts) {
    this.#setup = setup
    this.#texts = texts
    // With an asynchronous source, the site changes with every loaded file.
    if (texts.isAsked) this.#live = new LiveSite(setup.functions)
  }

  /** Returns the compilation of the current files. */
  get compilation(): Compilation {
    return (this.#compilation ??= new Compilation(this.files(), this.#setup, { memo: this.#memo, live: this.#live }))
  }

  files(): readonly SourceFile[] {
    return sourceFiles(this.#texts.known, this.#setup)
  }

  /** Picks up a changed file, or all files. */
  invalidate(name?: string): void {
    this.#texts.invalidate(name)
    this.#changed()
  }

  /** Waits for the named files and the files they call. Returns a promise only if the source does. */
  ready(names: readonly string[]): void | Promise<void> {
    if (!this.#texts.isAsked) return
    const loadedCount = this.#texts.load(names, (text) => this.calledIn(text))
    if (typeof loadedCount === 'number') return this.#came(loadedCount)
    return loadedCount.then((count) => this.#came(count))
  }

  #came(count: number): void {
    if (count > 0) this.#changed()
  }

  #changed(): void {
    this.version++
    this.#compilation = null
    this.#live ??= new LiveSite(this.#setup.functions)
  }

  /** Returns the names of files that a text calls by a literal name. */
  calledIn(text: string): readonly string[] {
    return callsOf(text, this.#setup).flatMap(({ literal }) => literal ?? [])
  }

  /** Returns the files that a text can reach, and all non-templates. Returns all files if a name is computed. */
  reachedFrom(text: string): readonly SourceFile[] {
    const files = this.files()
    const byName = new Map(files.flatMap((file) => [[file.path, file] as const, [file.name, file] as const]))
    const reached = new Set(files.filter(({ kind }) => kind !== 'partial' && kind !== 'page'))
    const waiting = [text, ...[...reached].filter(({ kind }) => kind === 'layout').map((each) => each.text)]
    for (let each = waiting.pop(); each !== undefined; each = waiting.pop()) {
      for (const { literal, kind } of callsOf(each, this.#setup)) {
        const file = literal === null || kind === 'theme' ? null : byName.get(literal)
        // The name may be computed, or may be resolved only when the site is linked.
        if (file == null) return files
        if (reached.has(file)) continue
        reached.add(file)
        waiting.push(file.text)
      }
    }
    return files.filter((file) => reached.has(file))
  }
}

function sourceFiles(texts: ReadonlyMap<string, string>, { compile }: EngineSetup): readonly SourceFile[] {
  return compile.dialect === 'platform'
    ? filesFromTexts(Object.fromEntries(texts), true)
    : [...texts].map(([name, text]) => strayPartial(name, text))
}

/** Returns the calls in a text, even if it has errors. */
function callsOf(text: string, { compile }: EngineSetup): readonly OutlineCall[] {
  const { dialect, language = LANGUAGE } = compile
  try {
    const { nodes } = parseTemplate(text, { file: '', base: 0, interpolation: dialect === 'platform' }, compile, QUIET)
    return outlineTemplate(nodes, { dialect, tags: language.tags, suspendingFilter: () => false }).calls
  } catch (error) {
    // The text is nested too deep for the stack. Compiling it reports that.
    if (error instanceof RangeError) return []
    throw error
  }
}

const QUIET = { add() {} }
