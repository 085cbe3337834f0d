/** `activity_delete_all`: removes all activities and their entries in feeds, after confirmation. */
import type { MutationField } from '../model.ts'
import { deleteActivities } from '../writes/activities.ts'

export const activity_delete_all: MutationField = {
  kind: 'mutation',
  name: 'activity_delete_all',
  sdl: 'activity_delete_all(confirm: Boolean = false): [ID] @public',
  build: deleteActivities,
}
