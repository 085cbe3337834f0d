/** The records of jobs in development. */
import type { RecordedAnswer } from '../../../core/contracts/recording.ts'
import { describeTask } from '../../../data/queue/payload.ts'
import type { RecordedRequest } from '../../observe/recorded-request.ts'
import { RequestRecorder } from '../../observe/recorder.ts'
import { storedRecord } from '../../observe/stored-record.ts'
import type { Failure } from '../task/failure.ts'
import type { ThreadTask } from './calls.ts'

type JobCall = Extract<ThreadTask, { kind: 'job' }>

/** Describes a job that has ended. @param failure null when it succeeded */
export function recordedJob({ id, payload, attempt = 1 }: JobCall, failure: Failure | null): RecordedAnswer {
  const { name } = describeTask(payload)
  return {
    // A job that is retried by hand counts its attempts from the beginning, so the time is a part of the id.
    ...{ id: `job-${id}-${attempt}-${Date.now().toString(36)}`, kind: 'job', method: '', url: '', host: '' },
    ...{ address: '', status: null, template: null, format: null, bytes: null, requestHeaders: {} },
    ...{ responseHeaders: {}, redirectTo: null, isUpdate: false },
    error: failure?.located ?? null,
    job: { id, name, attempt, outcome: failure === null ? 'done' : 'failed' },
  }
}

/** Returns the record of a job whose thread was ended with what it had recorded. @param ms duration in milliseconds */
export function lostJobRecord(call: JobCall, failure: Failure, ms: number): RecordedRequest | null {
  let record: RecordedRequest | null = null
  const recorder = new RequestRecorder((held) => {
    record = storedRecord({ ...held, ms }, { constants: {}, redirects: [] })
  })
  recorder.answer(recordedJob(call, failure))
  return record
}
