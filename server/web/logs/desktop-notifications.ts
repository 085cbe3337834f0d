/**
 * Desktop notifications for errors. The first error is shown immediately. Further errors are collected for a few
 * seconds.
 */
import { createRequire } from 'node:module'
import { explainLoadError } from '../../../runtime/page/optional-package.ts'

/** Shows notifications. */
export interface Desktop {
  raise(message: string): void
  /** Shows the errors that were collected so far. */
  close(): Promise<void>
}

/** Milliseconds for which further errors are collected. */
const COLLECT_TIME = 5_000
/** Maximum length of a message in characters. */
const MAX_LENGTH = 180

/** Shows one notification. Calls back with an error when it cannot be shown. */
export type Notify = (options: { title: string; message: string }, done: (error: unknown) => void) => void

/**
 * Opens the notifications of the desktop.
 * @param print called once when the desktop does not support notifications
 * @param notify returns the function that shows a notification; by default the library, which is loaded on first use
 */
export function openDesktop(
  print: (sentence: string) => void,
  notify: () => Notify = loadNotifier,
  collectTime = COLLECT_TIME,
): Desktop {
  let collected = 0
  let newest = ''
  let timer: NodeJS.Timeout | null = null
  let isSupported = true

  async function show(title: string, message: string): Promise<void> {
    if (!isSupported) return
    try {
      await new Promise<void>((resolve, reject) => {
        notify()({ title, message: toSafeText(message) }, (error) => (isFailure(error) ? reject(error) : resolve()))
      })
    } catch (error) {
      if (!isSupported) return
      isSupported = false
      const reason = error instanceof Error ? error.message : String(error)
      print(`Desktop notifications are not available (${toSafeText(reason)}). The log continues without them.`)
    }
  }

  async function showCollected(): Promise<void> {
    if (timer !== null) clearTimeout(timer)
    timer = null
    if (collected === 0) return
    const title = collected === 1 ? 'Ingot: an error' : `Ingot: ${collected} more errors`
    collected = 0
    await show(title, newest)
  }

  return {
    raise(message) {
      if (timer === null) void show('Ingot: an error', message)
      else {
        collected++
        newest = message
        return
      }
      timer = setTimeout(() => void showCollected(), collectTime)
      timer.unref()
    },
    close: showCollected,
  }
}

function loadNotifier(): Notify {
  // Loaded on first use, because the library inspects the desktop when it is loaded.
  try {
    const notifier = createRequire(import.meta.url)('node-notifier') as { notify(...given: Parameters<Notify>): void }
    return (options, done) => notifier.notify(options, done)
  } catch (error) {
    throw explainLoadError(error, 'node-notifier', 'A notification')
  }
}

// The library reports success with an empty text.
function isFailure(error: unknown): boolean {
  return error !== null && error !== undefined && error !== ''
}

/**
 * Removes special characters. The message contains visitors' input and is passed through a shell to a program that may
 * interpret markup.
 */
function toSafeText(message: string): string {
  const text = message.replace(/[^\p{L}\p{N}\p{M} .,:;/_#@=+()-]+/gu, ' ').trim()
  // A leading dash would be read as an option.
  const safe = text.replace(/^-+/, '').slice(0, MAX_LENGTH)
  return safe === '' ? 'see the log' : safe
}
