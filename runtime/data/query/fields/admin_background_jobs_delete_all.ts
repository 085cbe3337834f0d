/** `admin_background_jobs_delete_all`: deletes all jobs that match a filter and are not running. */
import type { MutationField } from '../model.ts'
import { deleteJobs } from '../writes/jobs.ts'

export const admin_background_jobs_delete_all: MutationField = {
  kind: 'mutation',
  name: 'admin_background_jobs_delete_all',
  sdl: 'admin_background_jobs_delete_all(filter: BackgroundJobsFilterInput): BackgroundJobsResult',
  build: deleteJobs,
}
