/**
 * Follows which templates a request renders, and where each one printed its part of the page. Values and texts are not changed, so no
 * cache, mail or attribute can contain a trace of it.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CachePort } from '../../../runtime/page/services.ts'
import type { ModuleFacts, ModuleObserver } from '../../operate/cluster/hot-site.ts'
import type { AppOptions } from '../../web/app-options.ts'
import { watchedExports } from '../../web/site/recorded.ts'

type SharedCache = NonNullable<AppOptions['cache']>

/** A text that a template printed. */
export interface PrintedText {
  readonly file: string
  readonly text: string
  /** The number of templates around it. */
  readonly depth: number
}

/** The trace of one request. */
interface TemplateTrace {
  /** The rendered templates. */
  readonly files: Set<string>
  /** What the templates printed, in the order in which they ended; null if that is not recorded. */
  readonly printed: PrintedText[] | null
}

export interface TemplateTracer {
  readonly observe: ModuleObserver
  /** Runs a request with a trace. @param keepsTexts whether printed texts are recorded, and caches are bypassed */
  run<Result>(keepsTexts: boolean, request: (trace: TemplateTrace) => Result): Result
  /** Returns a cache that requests with recorded texts bypass. */
  bypassable(cache: SharedCache): SharedCache
  /** Returns the given templates and all templates and queries that they call by name. */
  withCalled(files: Iterable<string>): ReadonlySet<string>
}

interface RunningTrace extends TemplateTrace {
  /** The running template. */
  running: { readonly file: string; readonly depth: number } | null
  /** Texts of `content_for` that were recorded. */
  readonly blocks: Set<string>
}

/** Creates a tracer for a site in development. */
export function createTemplateTracer(): TemplateTracer {
  const running = new AsyncLocalStorage<RunningTrace>()
  const facts = new Map<string, ModuleFacts>()
  const modules = new Map<string, string>()

  function traced(file: string, run: (...given: readonly unknown[]) => unknown): typeof run {
    return (...given) => {
      const trace = running.getStore()
      if (trace === undefined) return run(...given)
      trace.files.add(file)
      if (trace.printed === null) return run(...given)
      const caller = trace.running
      // The texts of `content_for` so far belong to the caller.
      addBlocks(trace, given[0])
      const current = { file, depth: (caller?.depth ?? -1) + 1 }
      trace.running = current
      const end = (result: unknown): unknown => {
        if (typeof result === 'string') trace.printed?.push({ ...current, text: result })
        addBlocks(trace, given[0])
        trace.running = caller
        return result
      }
      const fail = (error: unknown): never => {
        trace.running = caller
        throw error
      }
      try {
        const result = run(...given)
        return result instanceof Promise ? result.then(end, fail) : end(result)
      } catch (error) {
        return fail(error)
      }
    }
  }

  return {
    observe(path, own, exports) {
      const { file } = own
      facts.set(path, own)
      if (file === null) return exports
      modules.set(file, path)
      const tracedExports = Object.entries(exports).map(([name, value]) => [
        name,
        isFunction(value) ? traced(file, value) : value,
      ])
      return watchedExports(file, Object.fromEntries(tracedExports))
    },
    run(keepsTexts, request) {
      const trace = {
        files: new Set<string>(),
        printed: keepsTexts ? [] : null,
        running: null,
        blocks: new Set<string>(),
      }
      return running.run(trace, () => request(trace))
    },
    bypassable: (cache) => ({
      tokenPlaceholder: cache.tokenPlaceholder,
      close: () => cache.close(),
      forSite(space) {
        const port: CachePort = cache.forSite(space)
        return {
          fragment: async (key, expire, compute) =>
            (running.getStore()?.printed ?? null) === null
              ? port.fragment(key, expire, compute)
              : (await compute()).text,
        }
      },
    }),
    withCalled(files) {
      const found = new Set(files)
      for (const file of found) {
        for (const path of facts.get(modules.get(file) ?? '')?.calls ?? []) {
          const called = facts.get(path)?.file ?? null
          if (called !== null) found.add(called)
        }
      }
      return found
    },
  }
}

/** Records the new texts of `content_for` as printed by the running template. */
function addBlocks({ printed, running, blocks }: RunningTrace, render: unknown): void {
  if (running === null) return
  for (const text of blocksOf(render)) {
    if (blocks.has(text)) continue
    blocks.add(text)
    // The block is around what the templates that it calls have printed, and these have a greater depth.
    printed?.push({ file: running.file, text, depth: running.depth + 0.5 })
  }
}

/** The first argument of an emitted function is its render, which collects the texts of `content_for`. */
function blocksOf(render: unknown): readonly string[] {
  if (typeof render !== 'object' || render === null || !('blocks' in render) || !(render.blocks instanceof Map))
    return []
  return [...render.blocks.values()].filter((text) => typeof text === 'string')
}

function isFunction(value: unknown): value is (...given: readonly unknown[]) => unknown {
  return typeof value === 'function'
}
