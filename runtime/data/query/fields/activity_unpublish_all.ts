/** `activity_unpublish_all`: removes all activities from their feeds, after confirmation. */
import type { MutationField } from '../model.ts'
import { unpublishActivities } from '../writes/activities.ts'

export const activity_unpublish_all: MutationField = {
  kind: 'mutation',
  name: 'activity_unpublish_all',
  sdl: 'activity_unpublish_all(confirm: Boolean = false): [ID] @public',
  build: unpublishActivities,
}
