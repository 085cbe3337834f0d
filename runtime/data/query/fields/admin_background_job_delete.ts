/** `admin_background_job_delete`: deletes a job that is not running. */
import type { MutationField } from '../model.ts'
import { deleteJob } from '../writes/jobs.ts'

export const admin_background_job_delete: MutationField = {
  kind: 'mutation',
  name: 'admin_background_job_delete',
  sdl: 'admin_background_job_delete(id: ID!): BackgroundJob',
  build: deleteJob,
}
