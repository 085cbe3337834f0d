/** Creates the jobs that follow a saved form: its asynchronous callback and its notifications. */
import type { FormSnapshot, JobOrigin, JobRequest, JobTask } from '../../../runtime/data/jobs.ts'
import { type Channel, NOTIFICATION_ATTEMPTS } from '../../../runtime/data/jobs.ts'
import type { JobOptions } from '../../../runtime/page/services.ts'
import type { CompiledSite, FormEntry, NotificationEntry } from '../../../runtime/page/site.ts'
import { parseDelay } from '../../data/queue/delay.ts'
import type { FormTexts } from './model.ts'

/** A saved form whose jobs are created. */
export interface FollowUp {
  readonly site: CompiledSite
  readonly form: FormEntry
  readonly origin: JobOrigin
  /** Renders the delays. */
  readonly texts: FormTexts
  /** Creates the snapshot for the jobs. */
  readonly snapshot: () => FormSnapshot
}

/** Returns whether a form queues jobs. Most forms do not. */
export function queuesJobs({ asyncCallback, notifications: { emails, sms, apiCalls } }: FormEntry): boolean {
  return asyncCallback !== null || emails.length > 0 || sms.length > 0 || apiCalls.length > 0
}

/**
 * Creates the jobs of a form in their declared order.
 * @throws LiquidFault from the Liquid of a delay
 */
export async function createJobs({ site, form, origin, texts, snapshot }: FollowUp): Promise<readonly JobRequest[]> {
  const { asyncCallback, notifications } = form
  const formSnapshot = snapshot()
  const jobs: JobRequest[] = []
  const add = (task: JobTask, options: JobOptions): void => void jobs.push({ task, origin, options })
  if (asyncCallback !== null) {
    const { delay, priority, maxAttempts } = asyncCallback
    add({ kind: 'callback', form: formSnapshot }, { delay, priority, maxAttempts, sourceName: form.name })
  }
  const channels: readonly (readonly [Channel, readonly string[], NotificationEntries])[] = [
    ['email', notifications.emails, site.emails],
    ['sms', notifications.sms, site.smses],
    ['api_call', notifications.apiCalls, site.apiCalls],
  ]
  for (const [channel, names, entries] of channels) {
    for (const name of names) {
      const entry = Object.hasOwn(entries, name) ? entries[name] : undefined
      if (entry?.enabled === false) continue
      const delay = entry === undefined ? 0 : parseDelay(await texts.render(entry.delay), entry)
      const task: JobTask = { kind: 'notification', channel, name, content: { kind: 'form', form: formSnapshot } }
      add(task, { delay, priority: 'default', maxAttempts: NOTIFICATION_ATTEMPTS, sourceName: name })
    }
  }
  return jobs
}

type NotificationEntries = Readonly<Record<string, NotificationEntry>>
