/** `admin_background_job_retry`: runs a waiting or dead job immediately. */
import type { MutationField } from '../model.ts'
import { retryJob } from '../writes/jobs.ts'

export const admin_background_job_retry: MutationField = {
  kind: 'mutation',
  name: 'admin_background_job_retry',
  sdl: 'admin_background_job_retry(id: ID!): BackgroundJob',
  build: retryJob,
}
