/** Records what a request or a job does, as far as the host of templates knows it. Nothing here runs without a recording. */
import { LiquidFault } from '../../../runtime/page/fault.ts'
import type { TemplateWatch } from '../../../runtime/page/render.ts'
import type { CachePort, LogPort } from '../../../runtime/page/services.ts'
import type { RecordedPlace, RecordedVisitor, Recording, TemplateKind } from '../../core/contracts/recording.ts'
import { currentSpan, type Visit } from './host.ts'

/** Number of stack frames in which the calling template is searched. */
const FRAMES = 16
/** Maximum number of stacks whose locations are remembered. */
const MAX_STACKS = 2_000
const PLACES = new Map<string, RecordedPlace | null>()

/** Returns the line of the template that is calling, by the stack. The same stack always leads to the same line. */
export function callingPlace(locate: (fault: LiquidFault) => void): RecordedPlace | null {
  const { stackTraceLimit } = Error
  Error.stackTraceLimit = FRAMES
  const here = new LiquidFault('here')
  Error.stackTraceLimit = stackTraceLimit
  const stack = here.stack ?? ''
  const known = PLACES.get(stack)
  if (known !== undefined) return known
  locate(here)
  const place = here.file === null || here.line === null ? null : { file: here.file, line: here.line }
  if (PLACES.size >= MAX_STACKS) PLACES.clear()
  PLACES.set(stack, place)
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
        recorded: recording.templateBegan(kindOfTemplate(file), file),
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

/** Returns the kind of a template that the site's templates call. */
function kindOfTemplate(file: string): TemplateKind {
  if (/(?:^|\/)views\/layouts\//.test(file)) return 'layout'
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
  const begun = recording.templateBegan(kind, file)
  let printed: string | null = null
  try {
    return (printed = await render())
  } finally {
    recording.templateEnded(begun, printed?.length ?? null)
  }
}

/** Returns a cache that records the look-ups of fragments. */
export function recordedCache(cache: CachePort, recording: Recording, locate: (fault: LiquidFault) => void): CachePort {
  return {
    async fragment(key, expire, compute) {
      const place = callingPlace(locate)
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
