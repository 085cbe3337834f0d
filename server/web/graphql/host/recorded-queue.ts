/** Records the jobs and messages that a request or a job queues. */
import type { JobRequest, JobTask } from '../../../../runtime/data/jobs.ts'
import type { RecordedMessage, Recording } from '../../../core/contracts/recording.ts'
import { taskName } from '../../../data/queue/payload.ts'

/** Records queued jobs. Those that send something are also messages. */
export function recordQueued(recording: Recording | null, jobs: readonly JobRequest[], ids: readonly string[]): void {
  if (recording === null) return
  for (const [at, { task, options }] of jobs.entries()) {
    const id = ids[at] ?? ''
    recording.job({ id, name: taskName(task), delay: options.delay * 60 })
    const message = messageOf(task, id)
    if (message !== null) recording.message(message)
  }
}

function messageOf(task: JobTask, job: string): RecordedMessage | null {
  const queued = { name: null, to: null, subject: null, state: 'queued', job, error: null } as const
  switch (task.kind) {
    case 'notification':
      return { ...queued, channel: task.channel, name: task.name }
    case 'email':
      return { ...queued, channel: 'email', to: task.email.to.join(', '), subject: task.email.subject }
    case 'sms':
      return { ...queued, channel: 'sms', to: task.sms.to }
    default:
      return null
  }
}
