/** Desktop notifications: the first error is shown at once, further ones are collected for a few seconds. */
import { createRequire } from 'node:module'
import { explainLoadError } from '../../../runtime/page/optional-package.ts'

export interface Desktop {
  raise(message: string): void
  /** Shows what was collected so far. */
  close(): Promise<void>
}

/** Milliseconds in which further errors are collected. */
const COLLECT_TIME = 5_000
/** Longest message in characters. */
const MAX_LENGTH = 180

/** Shows one notification; calls back with an error when it cannot. */
export type Notify = (options: { title: string; message: string }, done: (error: unknown) => void) => void

/**
 * @param print called once when the desktop supports no notifications
 * @param notify shows one; by default the library is loaded with the first
 */
export function openDesktop(
  print: (sentence: string) => void,
  notify: () => Notify = desktopOf,
  gather = COLLECT_TIME,
): Desktop {
  let held = 0
  let newest = ''
  let timer: NodeJS.Timeout | null = null
  let works = true

  async function show(title: string, message: string): Promise<void> {
    if (!works) return
    try {
      await new Promise<void>((done, fail) => {
        notify()({ title, message: plain(message) }, (error) => (isFailure(error) ? fail(error) : done()))
      })
    } catch (error) {
      if (!works) return
      works = false
      const why = error instanceof Error ? error.message : String(error)
      print(`This desktop offers no notifications (${plain(why)}): the log goes on without.`)
    }
  }

  async function release(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (held === 0) return
    const title = held === 1 ? 'Ingot: an error' : `Ingot: ${held} more errors`
    held = 0
    await show(title, newest)
  }

  return {
    raise(message) {
      if (timer === null) void show('Ingot: an error', message)
      else {
        held++
        newest = message
        return
      }
      timer = setTimeout(() => void release(), gather)
      timer.unref()
    },
    close: release,
  }
}

function desktopOf(): Notify {
  // Loaded on first use, because the library inspects the desktop when it is loaded.
  try {
    const notifier = createRequire(import.meta.url)('node-notifier') as { notify(...given: Parameters<Notify>): void }
    return (options, done) => notifier.notify(options, done)
  } catch (error) {
    throw explainLoadError(error, 'node-notifier', 'A notification')
  }
}

// The library reports success as an empty text.
function isFailure(error: unknown): boolean {
  return error !== null && error !== undefined && error !== ''
}

/** The message contains visitors' input and is passed through a shell to a program that may interpret markup. */
function plain(message: string): string {
  const text = message.replace(/[^\p{L}\p{N}\p{M} .,:;/_#@=+()-]+/gu, ' ').trim()
  // A leading dash would be read as an option.
  const safe = text.replace(/^-+/, '').slice(0, MAX_LENGTH)
  return safe === '' ? 'see the log' : safe
}
