/** Records what a request or a job does, as far as the host of templates knows it. Nothing here runs without a recording. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import { Render, type TemplateWatch } from '../../../runtime/page/render.ts'
import type { CachePort, LogPort } from '../../../runtime/page/services.ts'
import type { RecordedPlace, RecordedVisitor, Recording, TemplateKind } from '../../core/contracts/recording.ts'
import { currentSpan, type Visit } from './host.ts'

/** Milliseconds for which a found location is used again, and the number of times that it is found before. */
const PLACE_TIME = 1_000
const SAME_TIMES = 3
/** Maximum number of locations that are remembered. */
const MAX_PLACES = 1_000

/** A location that was found. */
interface FoundPlace {
  readonly place: RecordedPlace | null
  /** How often the same location was found in turn; null when a template calls the same from several lines. */
  times: number | null
  readonly until: number
}

const PLACES = new Map<string, FoundPlace>()

/**
 * Returns the line of the template that is calling, by the stack. A stack is slow to read. Under load, a line that was found a few times for
 * the same call of the same template is therefore used for a moment.
 * @param call identifies what the template calls
 */
export function callingPlace(
  recording: Recording,
  call: string,
  locate: (fault: LiquidFault) => void,
): RecordedPlace | null {
  const key = `${recording.template ?? ''} ${call}`
  const known = PLACES.get(key)
  const now = performance.now()
  const isFresh = known !== undefined && known.until > now
  if (isFresh && known.times !== null && known.times >= SAME_TIMES) return known.place
  const here = new LiquidFault('here')
  locate(here)
  const place = here.file === null || here.line === null ? null : { file: here.file, line: here.line }
  if (isFresh) {
    const isSame = known.place?.file === place?.file && known.place?.line === place?.line
    known.times = known.times === null || !isSame ? null : known.times + 1
  } else {
    if (PLACES.size >= MAX_PLACES) PLACES.clear()
    PLACES.set(key, { place, times: 1, until: now + PLACE_TIME })
  }
  return place
}

/** Returns the number of results in the lists at the top of a query's result; null without a result. */
export function countRows(data: Readonly<Record<string, unknown>> | null): number | null {
  if (data === null) return null
  let count = 0
  for (const value of Object.values(data)) {
    const list = typeof value === 'object' && value !== null && 'results' in value ? value.results : value
    count += Array.isArray(list) ? list.length : list === null || list === undefined ? 0 : 1
  }
  return count
}

/** Returns the recording of a visit; null when nothing is recorded. */
export function recordingOf(visit: Visit): Recording | null {
  return currentSpan(visit)?.recording ?? null
}

/** Records the visitor, whose session is read after the answer. Returns the visit. */
export function recordVisitor<V extends Pick<Visit, 'request' | 'params' | 'session'>>(visit: V): V {
  visit.request.span?.recording?.visitor(() => visitorOf(visit))
  return visit
}

function visitorOf({ params, session }: Pick<Visit, 'params' | 'session'>): RecordedVisitor {
  const user = session?.user ?? null
  return {
    user: user === null ? null : { id: user.id, email: user.email },
    session: session?.values ?? null,
    params,
    secrets:
      session === null ? [] : [...session.tokens, session.knownId ?? '', session.row ?? '', session.device ?? ''],
  }
}

/** Returns a watch that records templates. @param other also notified; null for none */
export function recordedTemplates(recording: Recording, other: TemplateWatch | null): TemplateWatch {
  return {
    begin(file) {
      const token: WatchedRun = {
        recorded: recording.templateBegan(kindOfTemplate(file), file, 'own'),
        other: other?.begin(file) ?? null,
      }
      return token
    },
    end(begun) {
      // Tokens come from `begin`.
      const { recorded, other: otherRun } = begun as WatchedRun
      recording.templateEnded(recorded, null)
      if (otherRun !== null) other?.end(otherRun)
    },
    around(file) {
      const begun = recording.templateBegan(kindOfTemplate(file), file, 'around')
      return (result) => recording.templateEnded(begun, typeof result === 'string' ? result.length : null)
    },
    leaveFailed(file) {
      recording.templateCaught(file)
      other?.leaveFailed(file)
    },
  }
}

interface WatchedRun {
  readonly recorded: object
  readonly other: object | null
}

/** Returns the exports of a template's module, whose functions report their begin and end to their render. */
export function watchedExports(
  file: string,
  exports: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  // Queries are recorded by the port that runs them.
  if (!file.endsWith('.liquid')) return exports
  return Object.fromEntries(
    Object.entries(exports).map(([name, value]) => [name, isFunction(value) ? watchedFunction(file, value) : value]),
  )
}

type AnyFunction = (...given: readonly unknown[]) => unknown

function watchedFunction(file: string, run: AnyFunction): AnyFunction {
  return (...given) => {
    // The first argument of an emitted function is its render.
    const [r] = given
    const end = r instanceof Render ? r.around(file) : null
    if (end === null) return run(...given)
    const ended = (result: unknown): unknown => {
      end(result)
      return result
    }
    // A run that an error has left ends with its caller.
    const result = run(...given)
    return result instanceof Promise ? result.then(ended) : ended(result)
  }
}

function isFunction(value: unknown): value is AnyFunction {
  return typeof value === 'function'
}

/** Returns the kind of a template that the site's templates call. */
function kindOfTemplate(file: string): TemplateKind {
  if (/(?:^|\/)views\/layouts\//.test(file)) return 'layout'
  if (/(?:^|\/)views\/pages\//.test(file)) return 'page'
  if (/(?:^|\/)(?:form_configurations|forms)\/[^/]/.test(file) && !/(?:^|\/)(?:views|lib)\//.test(file)) return 'form'
  return /(?:^|\/)lib\//.test(file) ? 'function' : 'partial'
}

/** Runs a template that the host calls, and records it. */
export async function recordedTemplate(
  visit: Visit,
  kind: TemplateKind,
  file: string,
  render: () => string | Promise<string>,
): Promise<string> {
  const recording = recordingOf(visit)
  if (recording === null) return render()
  const begun = recording.templateBegan(kind, file, 'host')
  let printed: string | null = null
  try {
    return (printed = await render())
  } finally {
    recording.templateEnded(begun, printed?.length ?? null)
  }
}

/** Runs a layout, and records it. The result is a text if the layout waits for nothing. */
export function recordedLayout(
  visit: Visit,
  file: string,
  render: () => string | Promise<string>,
): string | Promise<string> {
  return recordingOf(visit) === null ? render() : recordedTemplate(visit, 'layout', file, render)
}

/** Returns a cache that records the look-ups of fragments. */
export function recordedCache(cache: CachePort, recording: Recording, locate: (fault: LiquidFault) => void): CachePort {
  return {
    async fragment(key, expire, compute) {
      // Keys of one tag differ in ids.
      const place = callingPlace(recording, `cache ${key.slice(0, 100).replaceAll(/\d+/g, '')}`, locate)
      const startedAt = performance.now()
      let hit = true
      try {
        return await cache.fragment(key, expire, () => {
          hit = false
          return compute()
        })
      } finally {
        recording.fragment({ key, hit, ms: performance.now() - startedAt, place })
      }
    },
  }
}

/** Returns a log that records its entries. */
export function recordedLog(log: LogPort, recording: Recording): LogPort {
  return {
    write(entry) {
      const { type, message, file, line, fault } = entry
      recording.log({ type, message, file, line, isFault: fault !== undefined })
      log.write(entry)
    },
  }
}
