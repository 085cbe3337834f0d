/** Notifications on the desktop: the first error at once, those of the next moments together. */
import { createRequire } from 'node:module'

export interface Desktop {
  raise(message: string): void
  /** Raises what is held back. */
  close(): Promise<void>
}

/** Milliseconds in which further errors are gathered. */
const GATHER = 5_000
/** Characters. */
const LONGEST = 180

/** Shows one; calls back with why it could not. */
export type Notify = (options: { title: string; message: string }, done: (error: unknown) => void) => void

/**
 * @param say told once where the desktop offers no notifications
 * @param notify shows one; it is found when the first is raised
 */
export function openDesktop(
  say: (sentence: string) => void,
  notify: () => Notify = desktopOf,
  gather = GATHER,
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
      say(`This desktop offers no notifications (${plain(why)}): the log goes on without.`)
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
  // Loaded only here: it looks for the desktop when it is loaded.
  const notifier = createRequire(import.meta.url)('node-notifier') as { notify(...given: Parameters<Notify>): void }
  return (options, done) => notifier.notify(options, done)
}

// It says so by an empty text, where all is well.
function isFailure(error: unknown): boolean {
  return error !== null && error !== undefined && error !== ''
}

/** What visitors have sent goes through a shell to another program, which may read marks of its own in it. */
function plain(message: string): string {
  const text = message.replace(/[^\p{L}\p{N}\p{M} .,:;/_#@=+()-]+/gu, ' ').trim()
  // A dash at the start would be an option.
  const safe = text.replace(/^-+/, '').slice(0, LONGEST)
  return safe === '' ? 'see the log' : safe
}
